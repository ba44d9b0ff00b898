// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Reads the boxes of an MP4, QuickTime, HEIF or AVIF file.
///
/// Source: ISO/IEC 14496-12, section 4.2.
package struct MediaBoxes {
    package struct Box {
        package let name: String
        /// The position of its header in the file, in bytes.
        package let position: Int
        /// The bytes after its header.
        package let content: Range<Int>
        /// Whether the box ends within the range in which it was read; if not, no box can follow.
        package let isWhole: Bool
    }

    private let file: InputFile
    /// The number of boxes that may still be read.
    private var budget: Int
    /// The bytes of the file that were read last, and their position in the file.
    private var window: (start: Int, bytes: [UInt8]) = (0, [])

    package init(_ file: InputFile, maximumCount: Int) {
        self.file = file
        budget = maximumCount
    }

    /// Whether the bound of boxes was reached.
    package var isExhausted: Bool { budget == 0 }

    /// Returns the boxes that follow each other in a part of the file, up to the first that is not whole.
    ///
    /// - Parameter isLast: ends the search after the first box for which it returns true.
    /// - Throws: `unreadable`.
    package mutating func boxes(
        in range: Range<Int>, upTo isLast: (Box) -> Bool = { _ in false }
    ) throws(DecodingFailure) -> [Box] {
        var boxes: [Box] = []
        var position = range.lowerBound
        while range.upperBound - position >= 8, budget > 0 {
            budget -= 1
            guard let box = try box(at: position, in: range) else { break }
            boxes.append(box)
            if isLast(box) || !box.isWhole { break }
            position = box.content.upperBound
        }
        return boxes
    }

    private mutating func box(at position: Int, in range: Range<Int>) throws(DecodingFailure) -> Box? {
        let header = try bytes(at: position, count: Self.longestHeader)
        guard header.count >= 8, let short = header.bigEndian(at: 0, as: UInt32.self) else { return nil }
        let rest = range.upperBound - position
        let (length, size) = short == 1 ? (16, header.bigEndian(at: 8, as: UInt64.self) ?? 0) : (8, UInt64(short))
        let isWhole = short == 0 || (size >= length && size <= rest)
        let count = short == 0 || !isWhole ? rest : Int(size)
        return Box(
            name: String(decoding: header[4..<8], as: UTF8.self), position: position,
            content: (position + min(length, count))..<(position + count), isWhole: isWhole)
    }

    /// Returns bytes of the file like `InputFile.bytes(at:count:)`, and keeps those behind them for the next box.
    private mutating func bytes(at position: Int, count: Int) throws(DecodingFailure) -> [UInt8] {
        if position < window.start || position + count > window.start + window.bytes.count {
            window = (position, try file.bytes(at: position, count: Self.windowSize))
        }
        return Array(window.bytes[(position - window.start)...].prefix(count))
    }

    private static let longestHeader = 16
    private static let windowSize = 4 << 10
}
