// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops

/// Squares of a few pixels, each of which has a detail or none.
struct DetailCells {
    /// A rectangle of cells that are mostly neighbours with details.
    struct Group {
        var left: Int
        var top: Int
        var right: Int
        var bottom: Int
    }

    private let columns: Int
    private let rows: Int
    /// For each cell, 0 without a detail, 1 with a detail, and from 2 on the number of its group.
    private var marks: [Int32]

    /// - Parameters:
    ///   - steps: the largest difference between each pixel and its neighbours, row after row.
    ///   - bound: the step above which a pixel is a detail.
    init(_ steps: [UInt8], width: Int, height: Int, bound: UInt8) {
        precondition(steps.count == width * height)
        (columns, rows) = ((width + Self.side - 1) / Self.side, (height + Self.side - 1) / Self.side)
        var marks = [UInt8](repeating: 0, count: columns * rows)
        unsafe CPixelLoops_mark_cells(steps, width, height, bound, Self.side, &marks)
        self.marks = marks.map(Int32.init)
    }

    /// Returns the groups of neighbours with details, without the sides that are mostly empty.
    mutating func groups() -> [Group] {
        var groups: [Group] = []
        for first in marks.indices where marks[first] == 1 {
            groups.append(spread(from: first, Int32(groups.count + 2)))
        }
        return groups.enumerated().compactMap { trimmed($1, Int32($0 + 2)) }
    }

    /// Gives a number to a cell and to all cells with details that it is joined to, and returns their bounds.
    private mutating func spread(from first: Int, _ number: Int32) -> Group {
        var group = Group(left: columns, top: rows, right: 0, bottom: 0)
        var waiting = [first]
        marks[first] = number
        func visit(_ cell: Int, _ marks: inout [Int32], _ waiting: inout [Int]) {
            guard marks[cell] == 1 else { return }
            marks[cell] = number
            waiting.append(cell)
        }
        while let cell = waiting.popLast() {
            let (row, column) = (cell / columns, cell % columns)
            (group.left, group.right) = (min(group.left, column), max(group.right, column + 1))
            (group.top, group.bottom) = (min(group.top, row), max(group.bottom, row + 1))
            if column > 0 { visit(cell - 1, &marks, &waiting) }
            if column + 1 < columns { visit(cell + 1, &marks, &waiting) }
            if row > 0 { visit(cell - columns, &marks, &waiting) }
            if row + 1 < rows { visit(cell + columns, &marks, &waiting) }
        }
        return group
    }

    /// Returns a group without the rows and columns at its sides that are mostly empty; nil if the rest is not mostly full.
    ///
    /// A line of text beside a picture is cut off in this way.
    private func trimmed(_ group: Group, _ number: Int32) -> Group? {
        var group = group
        while group.right - group.left > 2, group.bottom - group.top > 2 {
            let (columns, rows) = (group.left..<group.right, group.top..<group.bottom)
            if isMostlyEmpty(columns, group.top..<group.top + 1, number) {
                group.top += 1
            } else if isMostlyEmpty(columns, group.bottom - 1..<group.bottom, number) {
                group.bottom -= 1
            } else if isMostlyEmpty(group.left..<group.left + 1, rows, number) {
                group.left += 1
            } else if isMostlyEmpty(group.right - 1..<group.right, rows, number) {
                group.right -= 1
            } else {
                break
            }
        }
        let (columns, rows) = (group.left..<group.right, group.top..<group.bottom)
        return 2 * count(columns, rows, number) >= columns.count * rows.count ? group : nil
    }

    private func isMostlyEmpty(_ columns: Range<Int>, _ rows: Range<Int>, _ number: Int32) -> Bool {
        4 * count(columns, rows, number) < columns.count * rows.count
    }

    /// The number of cells of a group in some columns and rows.
    private func count(_ columns: Range<Int>, _ rows: Range<Int>, _ number: Int32) -> Int {
        var count = 0
        for row in rows {
            for column in columns where marks[row * self.columns + column] == number { count += 1 }
        }
        return count
    }

    /// The side of a cell in pixels; details with smaller gaps belong together.
    static let side = 4
}
