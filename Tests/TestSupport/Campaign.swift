// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Selects the cases of a test: the cases of the gate, or all cases.
///
/// The gate has the smallest case that would notice the loss of a property. `make test-all` sets `SCA_CAMPAIGN` and
/// runs all cases; docs/testing.md lists the additional claims.
package enum Campaign {
    /// Whether every case runs.
    package static let isRunning = ProcessInfo.processInfo.environment["SCA_CAMPAIGN"] == "1"

    package static let remedy = "It is in the long list. Run make test-all PART=unit-campaign."

    /// Returns all cases of a test in a campaign, and the cases of the gate otherwise.
    package static func cases<Case>(_ all: [Case], gate: [Case]) -> [Case] {
        isRunning ? all : gate
    }
}
