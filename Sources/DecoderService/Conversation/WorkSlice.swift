// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A period of work of 150 ms, after which the decoder reports its progress to the host.
package struct WorkSlice {
    private let end = ContinuousClock.now + .milliseconds(150)

    package init() {}

    /// The time until the end of the period; zero after its end.
    package var rest: Duration { max(.zero, end - ContinuousClock.now) }

    package var isOver: Bool { ContinuousClock.now >= end }
}
