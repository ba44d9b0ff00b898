// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HelperProtocol

/// The pictures and the video in a JPEG file, found by its markers without decoding.
///
/// Phones append further pictures and videos to a photograph, and viewers show them. Sources: ITU-T T.81, annex B; CIPA
/// DC-007 (Multi-Picture Format), section 5.2.
package struct JPEGStructure {
    /// Where the pictures begin, in bytes; the first is 0.
    package private(set) var pictures = [0]
    /// Where a video begins, in bytes.
    package private(set) var video: Int?
    private var reader: PieceReader

    /// - Throws: `tooManyPictures`, `unreadable`; `ambiguousRendering` where readers differ about colours.
    package init(_ file: InputFile) throws(DecodingFailure) {
        reader = PieceReader(file)
        var found: Set<Int> = [0]
        var position = try endOfPicture(at: 0, found: &found) ?? file.byteCount
        var movieCount = 0
        while let candidate = try nextCandidate(from: position) {
            switch candidate {
            case .video(let start):
                // Pictures behind it count as well: some programs look for them up to the end of the file.
                try Self.check(video == nil, "two videos behind the picture")
                video = start
                position = start + 8
            case .movie(let start):
                // A program that is told another start than that of the video would play another movie.
                movieCount += 1
                try Self.check(video != nil && movieCount == 1, "a movie beside the video behind the picture")
                position = start + 4
            case .picture(let start):
                var below: Set<Int> = []
                guard let end = try endOfPicture(at: start, found: &below) else {
                    position = start + 2
                    continue
                }
                found.formUnion(below)
                found.insert(start)
                position = max(end, start + 2)
            }
            try Self.check(found.count)
        }
        pictures = found.sorted()
    }

    private static func check(_ count: Int) throws(DecodingFailure) {
        guard count <= mostPictures else {
            throw DecodingFailure(
                .tooManyPictures, format: .jpeg, value: UInt64(count), bound: UInt64(mostPictures))
        }
    }

    private static func check(_ isClear: Bool, _ detail: String) throws(DecodingFailure) {
        guard isClear else { throw DecodingFailure(.ambiguousRendering, format: .jpeg, detail: detail) }
    }

    private static let mostPictures = 1000

    // MARK: Behind a picture

    private enum Candidate {
        case picture(Int)
        case video(Int)
        case movie(Int)
    }

    /// The next bytes that may begin a picture or a video, or that name the table of a movie.
    private mutating func nextCandidate(from start: Int) throws(DecodingFailure) -> Candidate? {
        var next: [UInt8: Int] = [:]
        for byte in Self.firstBytes { next[byte] = try reader.next(byte, from: start) }
        while let (byte, found) = next.min(by: { $0.value < $1.value }) {
            let bytes = try reader.bytes(at: found, count: 4)
            if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .picture(found) }
            if bytes.hasText("ftyp", at: 0), found >= start + 4 { return .video(found - 4) }
            if bytes.hasText("moov", at: 0) { return .movie(found) }
            next[byte] = try reader.next(byte, from: found + 1)
        }
        return nil
    }

    /// The first bytes of a picture, of `ftyp` and of `moov`.
    private static let firstBytes: [UInt8] = [0xFF, 0x66, 0x6D]

    // MARK: In a picture

    /// Where a picture ends: behind its last marker, or at the start of another picture.
    ///
    /// - Parameter found: gets the places that an index in the picture names.
    /// - Returns: nil where it is no picture: there is no frame header before something else than a marker.
    private mutating func endOfPicture(at start: Int, found: inout Set<Int>) throws(DecodingFailure) -> Int? {
        var position = start + 2
        var hasFrame = false
        var colours = JPEGColours()
        while true {
            guard let marker = try reader.next(0xFF, from: position) else {
                return hasFrame ? reader.byteCount : nil
            }
            // Decoders pass over bytes between segments. Behind the first picture, such bytes are something else.
            guard hasFrame || marker == position || start == 0 else { return nil }
            let bytes = try reader.bytes(at: marker, count: 4)
            guard bytes.count >= 2 else { return hasFrame ? reader.byteCount : nil }
            position = marker + 2
            switch bytes[1] {
            case 0xFF: position = marker + 1
            // A byte of coded data, and markers without content.
            case 0x00, 0x01, 0xD0...0xD7: break
            case 0xD9: return hasFrame ? position : nil
            case 0xD8: return hasFrame ? marker : nil
            default:
                guard let length: UInt16 = bytes.bigEndian(at: 2) else { return hasFrame ? reader.byteCount : nil }
                if (0xC0...0xCF).contains(bytes[1]), ![0xC4, 0xC8, 0xCC].contains(bytes[1]) {
                    hasFrame = true
                    colours.addFrame(try reader.bytes(at: marker + 4, count: 18))
                }
                let content = try reader.bytes(at: marker + 4, count: min(14, max(0, Int(length) - 2)))
                switch bytes[1] {
                case 0xE0: colours.addJFIF(content)
                case 0xEE: colours.addAdobe(content)
                case 0xDA: try colours.check()
                default: break
                }
                if bytes[1] == 0xE2 { try findIndex(in: marker + 4, count: Int(length) - 2, found: &found) }
                position = marker + 2 + Int(length)
            }
        }
    }

    /// Finds the pictures that the index in a segment names.
    private mutating func findIndex(
        in start: Int, count: Int, found: inout Set<Int>
    ) throws(DecodingFailure) {
        guard count > 8, try reader.bytes(at: start, count: 4).elementsEqual([0x4D, 0x50, 0x46, 0]) else { return }
        let base = start + 4
        let index = try reader.bytes(at: base, count: min(count - 4, 65_535))
        let isLittle = index.first == 0x49
        func number(_ offset: Int) -> Int {
            Int((isLittle ? index.littleEndian(at: offset) : index.bigEndian(at: offset)) ?? UInt32(0))
        }
        func short(_ offset: Int) -> Int {
            Int((isLittle ? index.littleEndian(at: offset) : index.bigEndian(at: offset)) ?? UInt16(0))
        }
        let directory = number(4)
        for entry in 0..<min(short(directory), 100) {
            let place = directory + 2 + 12 * entry
            guard short(place) == Self.entriesTag else { continue }
            let (size, values) = (number(place + 4), number(place + 8))
            try Self.check(size / 16)
            for position in stride(from: values, to: values + size, by: 16) {
                let start = number(position + 8)
                // The first picture is the file's own. Programs that edit a file often leave an index of what is gone.
                guard start > 0, try reader.bytes(at: base + start, count: 3) == [0xFF, 0xD8, 0xFF] else { continue }
                found.insert(base + start)
            }
        }
    }

    private static let entriesTag = 0xB002
}

/// Reads a file in pieces, forwards for the most part.
private struct PieceReader {
    private let file: InputFile
    private var piece: [UInt8] = []
    private var start = 0

    init(_ file: InputFile) {
        self.file = file
    }

    var byteCount: Int { file.byteCount }

    /// As many bytes as there are up to `count`.
    mutating func bytes(at position: Int, count: Int) throws(DecodingFailure) -> [UInt8] {
        if position < start || position + count > start + piece.count { try load(position, count) }
        let first = position - start
        guard first >= 0, first < piece.count else { return [] }
        return Array(piece[first..<min(first + count, piece.count)])
    }

    /// The position of the next byte of a value.
    mutating func next(_ byte: UInt8, from position: Int) throws(DecodingFailure) -> Int? {
        var position = position
        while position < file.byteCount {
            if position < start || position >= start + piece.count { try load(position, 1) }
            guard position - start < piece.count else { return nil }
            let found = unsafe piece.withUnsafeBytes { bytes -> Int? in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[(position - start)...])
                guard let base = unsafe rest.baseAddress else { return nil }
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
