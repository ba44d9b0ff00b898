// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A stretch of work, after which the host hears how far it has come.
package struct WorkSlice {
    private let end = ContinuousClock.now + .milliseconds(150)

    package init() {}

    /// What is left of it.
    package var rest: Duration { max(.zero, end - ContinuousClock.now) }

    package var isOver: Bool { ContinuousClock.now >= end }
}
