// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A buffer that the driver has filled.
package struct FilledBuffer: Sendable {
    package var index: Int
    package var byteCount: Int
    /// Whether the driver says that the frame is damaged.
    package var isDamaged: Bool
    /// Whether the frame is not one of two fields, or both of them.
    package var isWhole: Bool
    /// The time of the first byte by the monotonic clock; nil if the driver has another clock.
    package var moment: Duration?

    package init(index: Int, byteCount: Int, isDamaged: Bool = false, isWhole: Bool = true, moment: Duration? = nil) {
        self.index = index
        self.byteCount = byteCount
        self.isDamaged = isDamaged
        self.isWhole = isWhole
        self.moment = moment
    }
}
