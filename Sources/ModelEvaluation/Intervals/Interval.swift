// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A 95 % interval.
package struct Interval: Sendable, Hashable {
    package var low: Double
    package var high: Double

    package init(low: Double, high: Double) {
        self.low = low
        self.high = high
    }

    package func contains(_ value: Double) -> Bool { low <= value && value <= high }
}
