// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The pause before another helper is started, so that inputs that crash helpers cannot keep a core busy.
///
/// The pause is short, because other files wait behind these inputs.
package struct RestartBackoff: Sendable {
    private var crashes = 0

    package init() {}

    /// The pause before the next start: none after a single crash, then doubling from 50 ms up to half a second.
    package var pause: Duration {
        crashes < 2 ? .zero : min(.milliseconds(50) * (1 << min(crashes - 2, 10)), .milliseconds(500))
    }

    package mutating func helperCrashed() {
        crashes += 1
    }

    package mutating func helperAnswered() {
        crashes = 0
    }
}
