// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The highest score of each place in the map of a picture.
package struct PlaceScores: Sendable, Hashable {
    /// The rectangle of the map; a part of it may lie outside the picture.
    package let rectangle: UnitRectangle
    package let rows: Int
    package let columns: Int
    /// The highest score of any output, row after row, from 0 to 1.
    package let scores: [Float]

    /// - Returns: nil if the counts do not fit, or if a value is not in its range.
    package init?(rectangle: UnitRectangle, rows: Int, columns: Int, scores: [Float]) {
        guard (1...Self.longestSide).contains(rows), (1...Self.longestSide).contains(columns),
            scores.count == rows * columns, scores.allSatisfy({ $0 >= 0 && $0 <= 1 }),
            [rectangle.left, rectangle.top, rectangle.right, rectangle.bottom].allSatisfy({ abs($0) <= Self.farthest }),
            rectangle.left < rectangle.right, rectangle.top < rectangle.bottom
        else { return nil }
        (self.rectangle, self.rows, self.columns, self.scores) = (rectangle, rows, columns, scores)
    }

    /// The most places in a row or a column; a larger map is reported in means.
    package static let longestSide = 16
    /// The farthest edge of a map, in widths and heights of the picture.
    private static let farthest: Float = 100_000
}
