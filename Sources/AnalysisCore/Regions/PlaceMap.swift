// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The sums of a classifier for each place of a picture, of whose mean the classifier makes the picture's scores.
///
/// The score of a part of the picture is that of the mean over its places.
package struct PlaceMap: Sendable {
    package let rows: Int
    package let columns: Int
    /// The number of scores that a place has.
    package let scoreCount: Int
    package let function: ScoreFunction
    /// For each score, the sums over all places above and to the left, with a row and a column of zeros in front.
    private let totals: [Double]

    /// - Parameter sums: the sum of each place, row after row, one score after the other.
    /// - Returns: nil if the counts do not fit, or if a sum is no finite number.
    package init?(rows: Int, columns: Int, scoreCount: Int, function: ScoreFunction, sums: [Float]) {
        guard (1...Self.longestSide).contains(rows), (1...Self.longestSide).contains(columns), scoreCount > 0,
            sums.count == rows * columns * scoreCount, sums.allSatisfy(\.isFinite)
        else { return nil }
        (self.rows, self.columns, self.scoreCount, self.function) = (rows, columns, scoreCount, function)
        let width = columns + 1
        var totals = [Double](repeating: 0, count: (rows + 1) * width * scoreCount)
        for score in 0..<scoreCount {
            let (start, first) = (score * (rows + 1) * width, score * rows * columns)
            for row in 0..<rows {
                var line = 0.0
                for column in 0..<columns {
                    line += Double(sums[first + row * columns + column])
                    let place = start + (row + 1) * width + column + 1
                    totals[place] = totals[place - width] + line
                }
            }
        }
        self.totals = totals
    }

    /// A rectangle of whole places.
    package struct Window: Sendable, Hashable {
        package var left: Int
        package var top: Int
        package var width: Int
        package var height: Int

        package init(left: Int, top: Int, width: Int, height: Int) {
            (self.left, self.top, self.width, self.height) = (left, top, width, height)
        }
    }

    /// The window of all places.
    package var all: Window { Window(left: 0, top: 0, width: columns, height: rows) }

    /// Returns a score of the part of the picture in a window.
    package func score(_ index: Int, in window: Window) -> Float {
        guard index < scoreCount else { return 0 }
        return function.score(of: index, in: (0..<scoreCount).map { Float(mean($0, in: window)) })
    }

    /// Returns the highest score of a square window.
    ///
    /// A window that is longer than the map is as long as the map.
    package func highest(_ index: Int, side: Int) -> Float {
        let (width, height) = (min(side, columns), min(side, rows))
        var highest = -Float.infinity
        for top in 0...(rows - height) {
            for left in 0...(columns - width) {
                highest = max(
                    highest, score(index, in: Window(left: left, top: top, width: width, height: height)))
            }
        }
        return highest
    }

    private func mean(_ score: Int, in window: Window) -> Double {
        let width = columns + 1
        let start = score * (rows + 1) * width
        let (above, below) = (start + window.top * width, start + (window.top + window.height) * width)
        let (left, right) = (window.left, window.left + window.width)
        let total = totals[below + right] - totals[above + right] - totals[below + left] + totals[above + left]
        return total / Double(window.width * window.height)
    }

    /// The most places in a row or a column of a map.
    package static let longestSide = 256
}
