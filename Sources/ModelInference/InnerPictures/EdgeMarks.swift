// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops

/// The places where neighbouring lines of a small picture differ more than the lines around them.
///
/// The lines are all columns or all rows. Between a picture and its surroundings, most places of one line are marked. In
/// the texture of a photograph, about one place in seven is marked, whatever its contrast is.
struct EdgeMarks {
    /// A part of a line along which most places are marked.
    struct Edge: Hashable {
        /// The line in front of which the edge lies.
        let line: Int
        let start: Int
        let end: Int

        var length: Int { end - start }
    }

    private let lineCount: Int
    private let length: Int
    /// For each line, the number of marks before each place; a mark of the next line counts as well.
    private let sums: [Int32]
    /// The same with the marks of both neighbours.
    private let wideSums: [Int32]

    /// - Parameters:
    ///   - levels: the differences between each line and the next, line after line.
    ///   - lineCount: the number of differences between lines.
    ///   - length: the number of places of a line.
    init(_ levels: [UInt8], lineCount: Int, length: Int) {
        precondition(levels.count == lineCount * length)
        (self.lineCount, self.length) = (lineCount, length)
        var marks = [UInt8](repeating: 0, count: levels.count)
        unsafe CPixelLoops_mark_ridges(levels, lineCount, length, Self.leastDifference, &marks)
        var sums = [Int32](repeating: 0, count: lineCount * (length + 1))
        var wideSums = sums
        unsafe CPixelLoops_sum_marks(marks, lineCount, length, &sums, &wideSums)
        (self.sums, self.wideSums) = (sums, wideSums)
    }

    /// Returns the edges with the most marks, without near doubles.
    ///
    /// The length alone would prefer the gaps between lines of text, half of whose places are marked, to the sides of a
    /// picture, all of whose places are.
    func edges(atLeast shortest: Int) -> [Edge] {
        var found: [Edge] = []
        for line in 0..<lineCount {
            found += edges(in: line, atLeast: shortest, window: 13, share: 0.5)
            found += edges(in: line, atLeast: max(shortest, 100), window: 61, share: 0.36)
            if share(in: line, 0, length) >= 0.3 { found.append(Edge(line: line + 1, start: 0, end: length)) }
        }
        let counts = Dictionary(found.map { ($0, markCount($0)) }, uniquingKeysWith: { first, _ in first })
        found.sort { (counts[$0] ?? 0, $1.line) > (counts[$1] ?? 0, $0.line) }
        var kept: [Edge] = []
        for edge in found where kept.count < Self.mostEdges {
            let isDouble = kept.contains { other in
                abs(other.line - edge.line) <= 3
                    && Double(min(other.end, edge.end) - max(other.start, edge.start)) > 0.7 * Double(edge.length)
            }
            if !isDouble { kept.append(edge) }
        }
        return kept
    }

    /// Returns the share of marked places between two places in front of a line, up to one line away.
    func share(before line: Int, from start: Int, to end: Int) -> Float {
        let inset = max(1, (end - start) / 20)
        guard (1...lineCount).contains(line), end - start > 2 * inset else { return 0 }
        let first = (line - 1) * (length + 1)
        let count = wideSums[first + end - inset] - wideSums[first + start + inset]
        return Float(count) / Float(end - start - 2 * inset)
    }

    private func markCount(_ edge: Edge) -> Int32 { markCount(in: edge.line - 1, edge.start, edge.end) }

    private func markCount(in line: Int, _ start: Int, _ end: Int) -> Int32 {
        let first = line * (length + 1)
        return sums[first + end] - sums[first + start]
    }

    private func share(in line: Int, _ start: Int, _ end: Int) -> Double {
        Double(markCount(in: line, start, end)) / Double(max(1, end - start))
    }

    /// Returns the runs of places around which the share of marks is high enough.
    private func edges(in line: Int, atLeast shortest: Int, window: Int, share least: Double) -> [Edge] {
        guard share(in: line, 0, length) * Double(length) >= least * Double(shortest) else { return [] }
        var edges: [Edge] = []
        var start: Int?
        for place in 0...length {
            let isMarked =
                place < length
                && share(in: line, max(0, place - window / 2), min(length, place + window / 2 + 1)) >= least
            if isMarked {
                start = start ?? place
            } else if let first = start {
                start = nil
                if place - first >= shortest, share(in: line, first, place) >= least + 0.05 {
                    edges.append(Edge(line: line + 1, start: first, end: place))
                }
            }
        }
        return edges
    }

    /// The least difference of a level that is an edge.
    private static let leastDifference: UInt8 = 10
    private static let mostEdges = 40
}
