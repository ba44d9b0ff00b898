// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Glibc

/// The pictures and the video in a JPEG file, found by its markers without decoding.
///
/// Phones append further pictures and videos to a photograph, and viewers show them. Sources: ITU-T T.81, annex B; CIPA
/// DC-007 (Multi-Picture Format), section 5.2.
package struct JPEGStructure: ViewerStructure {
    /// The starts of the pictures, in bytes; the first is 0.
    package private(set) var pictures = [0]
    /// The start of the video, in bytes; nil if there is none.
    package private(set) var video: Int?
    private let file: InputFile
    private var reader: PieceReader
    /// The number of segments and index entries that have been examined.
    private var stepCount = 0
    /// The number of bytes that have been searched for pictures and scans.
    private var searchedCount = 0
    private var found: Set<Int> = [0]

    /// - Throws: `tooManyPictures`, `tooManyParts`, `unreadable`; `ambiguousRendering` if readers differ about colours,
    ///   pictures or the video.
    package init(_ file: InputFile) throws(DecodingFailure) {
        self.file = file
        reader = PieceReader(file)
        // A file without a scan has no picture, and no program shows one.
        if let header = try readHeader(at: 0) { try findPictures(behind: header) }
        for start in found.sorted().dropFirst() {
            if let header = try readHeader(at: start) { try checkScans(of: header) }
        }
        pictures = found.sorted()
    }

    private static func insert(_ picture: Int, to found: inout Set<Int>) throws(DecodingFailure) {
        found.insert(picture)
        guard found.count <= mostPictures else {
            throw DecodingFailure(
                .tooManyPictures, format: .jpeg, value: UInt64(found.count), bound: UInt64(mostPictures))
        }
    }

    private mutating func countStep() throws(DecodingFailure) {
        stepCount += 1
        guard stepCount <= Self.mostSteps else {
            throw DecodingFailure(.tooManyParts, format: .jpeg, bound: UInt64(Self.mostSteps), detail: "segments")
        }
    }

    private static let mostPictures = 1000
    private static let mostSteps = 100_000

    // MARK: Behind the header

    /// Finds pictures and a video after the header of the first picture.
    ///
    /// Programs differ about broken segments. A start marker therefore counts as a picture if a frame header and a scan
    /// follow it at any position.
    private mutating func findPictures(behind header: Header) throws(DecodingFailure) {
        var (search, header) = (JPEGSearch(), header)
        try Self.forEachPlace(in: file, from: header.end, &searchedCount) { bytes, position throws(DecodingFailure) in
            try header.note(bytes, at: position, in: file)
            if let picture = try search.note(bytes, at: position) { try Self.insert(picture, to: &found) }
            return true
        }
        video = try search.finish()
    }

    /// Checks the scans of a picture after the first scan.
    private mutating func checkScans(of header: Header) throws(DecodingFailure) {
        var header = header
        try Self.forEachPlace(in: file, from: header.end, &searchedCount) { bytes, position throws(DecodingFailure) in
            try header.note(bytes, at: position, in: file)
            return !header.scans.hasEnded
        }
    }

    /// Calls the closure with the bytes at each possible marker or video, until the closure returns false.
    ///
    /// - Parameter count: the number of bytes searched in the file so far, to which this search adds.
    /// - Throws: `tooManyParts` if so many pictures lie in one another that the file is read again and again.
    static func forEachPlace(
        in file: InputFile, from start: Int, _ count: inout Int,
        _ body: (ArraySlice<UInt8>, Int) throws(DecodingFailure) -> Bool
    ) throws(DecodingFailure) {
        var position = start
        while position < file.byteCount {
            let bytes = try file.bytes(at: position, count: pieceSize)
            guard !bytes.isEmpty else { break }
            count += bytes.count
            guard count <= 4 * (file.byteCount + mostPictures * pieceSize) else {
                throw DecodingFailure(.tooManyParts, format: .jpeg, detail: "pictures in one another")
            }
            let isLast = position + bytes.count >= file.byteCount
            let end = isLast ? bytes.count : max(1, bytes.count - JPEGSearch.lookahead)
            for offset in JPEGSearch.offsets(in: bytes) where offset < end {
                guard try body(bytes[offset...], position + offset) else { return }
            }
            position += end
        }
    }

    private static let pieceSize = 1 << 18

    // MARK: Header

    /// The header of a picture, up to its first scan.
    private struct Header {
        /// The start of the coded data, in bytes.
        var end: Int
        /// The scans that have been read.
        var scans: JPEGScans
        var tables: JPEGTables

        /// Notes bytes after the first scan at which a marker may begin.
        mutating func note(
            _ bytes: ArraySlice<UInt8>, at position: Int, in file: InputFile
        ) throws(DecodingFailure) {
            guard try scans.note(bytes, at: position) == JPEGTables.huffman else { return }
            let length = Int(Array(bytes.prefix(4)).bigEndian(at: 2, as: UInt16.self) ?? 0)
            try tables.add(
                try file.bytes(at: position + 4, count: max(0, length - 2)), marker: JPEGTables.huffman)
            try tables.check(isProgressive: scans.isProgressive)
        }
    }

    /// Reads the segments before the first scan of a picture.
    ///
    /// - Returns: nil if there are no coded data.
    private mutating func readHeader(at start: Int) throws(DecodingFailure) -> Header? {
        var position = start + 2
        var (colours, profile, tables) = (JPEGColours(), JPEGProfilePieces(), JPEGTables())
        var scans = JPEGScans(marker: 0, frame: [])
        while let marker = try reader.next(0xFF, from: position) {
            try countStep()
            let bytes = try reader.bytes(at: marker, count: 4)
            guard bytes.count >= 2 else { return nil }
            position = marker + 2
            switch bytes[1] {
            case 0xFF: position = marker + 1
            case 0x00, 0x01, 0xD0...0xD7: break
            case 0xD8, 0xD9: return nil
            default:
                guard let length: UInt16 = bytes.bigEndian(at: 2) else { return nil }
                position = marker + 2 + Int(length)
                let segment = try reader.bytes(at: marker + 4, count: max(0, Int(length) - 2))
                try tables.add(segment, marker: bytes[1])
                let content = Array(segment.prefix(18))
                switch bytes[1] {
                case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(bytes[1]):
                    colours.addFrame(content)
                    scans = JPEGScans(marker: bytes[1], frame: content)
                case 0xFE: colours.addComment(content)
                case 0xE0...0xEF:
                    guard GainMapMetadata.isOrdinary(segment: segment) else { throw DecodingFailure(.gainMap, .jpeg) }
                    colours.addSegment(content, application: bytes[1] & 15)
                    if bytes[1] == 0xE2 {
                        profile.add(content)
                        try findIndex(in: marker + 4, count: Int(length) - 2)
                    }
                case 0xDA:
                    try colours.check()
                    try profile.check()
                    try scans.add(content)
                    try tables.check(isProgressive: scans.isProgressive)
                    return Header(end: position, scans: scans, tables: tables)
                default: break
                }
            }
        }
        return nil
    }

    /// Finds the pictures that the Multi-Picture index in a segment names.
    ///
    /// Pictures after a scan are found without it. Programs differ about the byte order, so both orders are tried.
    private mutating func findIndex(in start: Int, count: Int) throws(DecodingFailure) {
        guard count > 8, try reader.bytes(at: start, count: 4).elementsEqual([0x4D, 0x50, 0x46, 0]) else { return }
        let base = start + 4
        let index = try file.bytes(at: base, count: min(count - 4, 65_535))
        for (isLittle, entriesAreLittle) in [(false, false), (false, true), (true, false), (true, true)] {
            func number(_ offset: Int, _ isLittle: Bool) -> Int {
                Int((isLittle ? index.littleEndian(at: offset) : index.bigEndian(at: offset)) ?? UInt32(0))
            }
            func short(_ offset: Int) -> Int {
                Int((isLittle ? index.littleEndian(at: offset) : index.bigEndian(at: offset)) ?? UInt16(0))
            }
            let directory = number(4, isLittle)
            guard directory < index.count else { continue }
            for place in stride(
                from: directory + 2, to: min(index.count, directory + 2 + 12 * short(directory)), by: 12)
            where short(place) == Self.entriesTag {
                let values = number(place + 8, isLittle)
                let end = min(index.count, values + number(place + 4, isLittle))
                for position in stride(from: values, to: max(values, end), by: 16) {
                    try countStep()
                    let start = number(position + 8, entriesAreLittle)
                    // Offset 0 is the known first picture. Editing programs often leave an index of removed pictures.
                    guard start > 0, try file.bytes(at: base + start, count: 3) == [0xFF, 0xD8, 0xFF] else { continue }
                    try Self.insert(base + start, to: &found)
                }
            }
        }
    }

    private static let entriesTag = 0xB002
}

/// Reads a file through a buffer, forwards for the most part.
private struct PieceReader {
    private let file: InputFile
    private var piece: [UInt8] = []
    private var start = 0

    init(_ file: InputFile) {
        self.file = file
    }

    /// Returns up to `count` bytes, fewer at the end of the file.
    mutating func bytes(at position: Int, count: Int) throws(DecodingFailure) -> [UInt8] {
        if position < start || position + count > start + piece.count { try load(position, count) }
        let first = position - start
        guard first >= 0, first < piece.count else { return [] }
        return Array(piece[first..<min(first + count, piece.count)])
    }

    /// Returns the position of the next byte that equals `byte`; nil if there is none.
    mutating func next(_ byte: UInt8, from position: Int) throws(DecodingFailure) -> Int? {
        var position = position
        while position < file.byteCount {
            if position < start || position >= start + piece.count { try load(position, 1) }
            guard position - start < piece.count else { return nil }
            let found = unsafe piece.withUnsafeBytes { bytes -> Int? in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[(position - start)...])
                guard let base = rest.baseAddress else { return nil }
                return unsafe memchr(base, Int32(byte), rest.count).map { unsafe UnsafeRawPointer($0) - base }
            }
            if let found { return position + found }
            position = start + piece.count
        }
        return nil
    }

    private mutating func load(_ position: Int, _ count: Int) throws(DecodingFailure) {
        piece = try file.bytes(at: position, count: max(count, 256 << 10))
        start = position
    }
}
