// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The pictures of a Windows icon or cursor, of which a viewer chooses one by its size.
///
/// Source: Microsoft, "Icons" (ICONDIR and ICONDIRENTRY).
package struct IconEntries {
    /// The parts of the file with a picture each, without parts that are there twice.
    package let pictures: [(file: InputFile, isPNG: Bool)]

    /// Returns whether the file begins with a directory whose first entry has a place in the file.
    static func fits(_ prefix: [UInt8]) -> Bool {
        guard prefix.starts(with: [0, 0, 1, 0]) || prefix.starts(with: [0, 0, 2, 0]),
            let count: UInt16 = prefix.littleEndian(at: 4), let offset: UInt32 = prefix.littleEndian(at: 18)
        else { return false }
        return count > 0 && Int(offset) >= headerSize + Int(count) * entrySize
    }

    /// - Throws: `malformed` for an entry without a picture.
    package init(_ file: InputFile) throws(DecodingFailure) {
        let header = try file.bytes(at: 0, count: Self.headerSize)
        let count = Int(header.littleEndian(at: 4, as: UInt16.self) ?? 0)
        let entries = try file.bytes(at: Self.headerSize, count: count * Self.entrySize)
        guard count > 0, entries.count == count * Self.entrySize else { throw Self.broken }
        var seen: Set<Range<Int>> = []
        var pictures: [(InputFile, Bool)] = []
        for index in 0..<count {
            guard let size: UInt32 = entries.littleEndian(at: index * Self.entrySize + 8),
                let offset: UInt32 = entries.littleEndian(at: index * Self.entrySize + 12)
            else { throw Self.broken }
            let range = Int(offset)..<(Int(offset) + Int(size))
            guard range.lowerBound >= Self.headerSize + entries.count, range.upperBound <= file.byteCount else {
                throw Self.broken
            }
            let part = file.part(range)
            let head = try part.bytes(at: 0, count: 12)
            let isPNG = head.starts(with: [0x89, 0x50, 0x4E, 0x47])
            // Qt reads the rows of a bitmap with the width of the entry, in which 0 stands for 256.
            let place = index * Self.entrySize
            let (width, height) = (UInt32(entries[place]), UInt32(entries[place + 1]))
            guard
                isPNG
                    || head.littleEndian(at: 4) == (width == 0 ? 256 : width)
                        && head.littleEndian(at: 8) == 2 * (height == 0 ? 256 : height)
            else { throw DecodingFailure(.otherSizeOfEntry, .icon) }
            if seen.insert(range).inserted { pictures.append((part, isPNG)) }
        }
        self.pictures = pictures
    }

    private static let (headerSize, entrySize) = (6, 16)
    private static let broken = DecodingFailure(.malformed, format: .icon, detail: "an entry without a picture")
}
