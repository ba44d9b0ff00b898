// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A rectangle in a picture, in shares of the upright picture's width and height from the top left.
package struct UnitRectangle: Sendable, Hashable {
    package var left: Float
    package var top: Float
    package var right: Float
    package var bottom: Float

    package init(left: Float, top: Float, right: Float, bottom: Float) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    /// Whether the rectangle lies within a picture and is not empty.
    package var isValid: Bool {
        left >= 0 && top >= 0 && right <= 1 && bottom <= 1 && left < right && top < bottom
    }

    package var area: Float { (right - left) * (bottom - top) }

    /// Returns the area of the intersection as a share of the area of the union.
    package func overlap(with other: UnitRectangle) -> Float {
        let width = min(right, other.right) - max(left, other.left)
        let height = min(bottom, other.bottom) - max(top, other.top)
        guard width > 0, height > 0 else { return 0 }
        let common = width * height
        return common / (area + other.area - common)
    }
}
