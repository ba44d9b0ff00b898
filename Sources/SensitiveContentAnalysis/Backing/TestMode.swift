// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Whether the test pattern counts as sensitive content.
enum TestMode {
    /// Whether `SCA_TEST_MODE=1` was in the environment when the process first asked.
    static let isOn = ProcessInfo.processInfo.environment["SCA_TEST_MODE"] == "1"
}
