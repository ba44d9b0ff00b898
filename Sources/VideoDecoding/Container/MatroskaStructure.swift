// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

/// Tells Matroska and WebM files that are several, one behind the other, or that describe their tracks twice.
///
/// FFmpeg reads the frames of all of them by the first description. Other programs obey each.
///
/// Source: RFC 8794, sections 4 to 6, and RFC 9559, section 5.1.
struct MatroskaStructure {
    /// Whether there is more than one file, or description of the tracks.
    private(set) var isJoined = false
    private let file: InputFile
    /// A part of the file, and where it begins.
    private var window: (start: Int, bytes: [UInt8]) = (0, [])

    private struct Element {
        let identifier: UInt32
        let start: Int
        /// Nil where the element says that it ends where another one begins.
        let end: Int?
    }

    /// - Throws: `unreadable`, `tooManyParts`.
    init(_ file: InputFile) throws(DecodingFailure) {
        self.file = file
        var (position, headers, tracks, count) = (0, 0, 0, 0)
        while position < file.byteCount {
            count += 1
            guard count <= Self.mostElements else {
                throw DecodingFailure(.tooManyParts, bound: UInt64(Self.mostElements), detail: "elements")
            }
            guard let element = try element(at: position) else {
                // Programs look for the next element that they know.
                if let found = try header(behind: position + 1) { headers += found }
                break
            }
            headers += element.identifier == Self.header ? 1 : 0
            tracks += element.identifier == Self.tracks ? 1 : 0
            let isEntered =
                element.identifier == Self.segment || element.identifier == Self.cluster && element.end == nil
            guard let next = isEntered ? element.start : element.end else { break }
            position = next
        }
        isJoined = headers > 1 || tracks > 1
    }

    private mutating func element(at position: Int) throws(DecodingFailure) -> Element? {
        if position < window.start || position + Self.longestHeader > window.start + window.bytes.count {
            window = (position, try file.bytes(at: position, count: Self.windowSize))
        }
        let bytes = window.bytes
        var place = position - window.start
        guard place < bytes.count, bytes[place] != 0 else { return nil }
        let length = bytes[place].leadingZeroBitCount + 1
        guard length <= 4, place + length < bytes.count else { return nil }
        let identifier = bytes[place..<(place + length)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        place += length
        let sizeLength = bytes[place].leadingZeroBitCount + 1
        guard sizeLength <= 8, place + sizeLength <= bytes.count else { return nil }
        let marked = bytes[place..<(place + sizeLength)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let most = UInt64(1) << (7 * UInt64(sizeLength))
        let (size, start) = (marked & (most - 1), window.start + place + sizeLength)
        if size == most - 1 { return Element(identifier: identifier, start: start, end: nil) }
        return Element(identifier: identifier, start: start, end: start + Int(min(size, UInt64(1) << 60)))
    }

    /// One where another file may begin behind a position, nil where none does.
    private func header(behind position: Int) throws(DecodingFailure) -> Int? {
        guard file.byteCount - position <= Self.mostSearchedBytes else { return 1 }
        var position = position
        while position < file.byteCount {
            let bytes = try file.bytes(at: position, count: Self.windowSize)
            var word: UInt32 = 0
            for byte in bytes {
                word = word << 8 | UInt32(byte)
                if word == Self.header || word == Self.tracks { return 1 }
            }
            if bytes.count < Self.windowSize { break }
            position += bytes.count - 3
        }
        return nil
    }

    private static let header: UInt32 = 0x1A45_DFA3
    private static let segment: UInt32 = 0x1853_8067
    private static let tracks: UInt32 = 0x1654_AE6B
    private static let cluster: UInt32 = 0x1F43_B675
    /// Ten hours of pictures and sound that are written while they are recorded have fewer.
    private static let mostElements = 8_000_000
    private static let longestHeader = 12
    private static let windowSize = 64 << 10
    private static let mostSearchedBytes = 64 << 20
}
