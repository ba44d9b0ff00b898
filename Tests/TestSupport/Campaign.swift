// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Which cases of a test run: those of the gate, or all of them.
///
/// The gate holds the smallest case that would notice the loss of a property. `make test-all` sets `SCA_CAMPAIGN` and
/// runs every case; docs/testing.md lists what that adds.
package enum Campaign {
    /// Whether every case runs.
    package static let isRunning = ProcessInfo.processInfo.environment["SCA_CAMPAIGN"] == "1"

    package static let remedy = "It is in the long list. Run make test-all PART=unit-campaign."

    /// The cases of a test: all of them in a campaign, and those of the gate otherwise.
    package static func cases<Case>(_ all: [Case], gate: [Case]) -> [Case] {
        isRunning ? all : gate
    }
}
