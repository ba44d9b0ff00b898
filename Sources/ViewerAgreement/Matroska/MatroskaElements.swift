// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Reads the elements of a Matroska or WebM file.
///
/// Source: RFC 8794, sections 4 to 6.
struct MatroskaElements {
    struct Element {
        let identifier: UInt32
        let position: Int
        let start: Int
        /// The end of the element, or nil if its size is unknown and the next element ends it.
        let end: Int?
    }

    private let file: InputFile
    /// The bytes of the file that were read last, and their position in the file.
    private var window: (start: Int, bytes: [UInt8]) = (0, [])
    /// The number of elements that may still be read.
    private var budget = Self.mostElements

    init(_ file: InputFile) { self.file = file }

    /// Returns the element at a position, or nil if no element begins there.
    ///
    /// - Throws: `unreadable`, `tooManyParts`.
    mutating func element(at position: Int) throws(DecodingFailure) -> Element? {
        budget -= 1
        guard budget >= 0 else {
            throw DecodingFailure(.tooManyParts, bound: UInt64(Self.mostElements), detail: "elements")
        }
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
        if size == most - 1 { return Element(identifier: identifier, position: position, start: start, end: nil) }
        return Element(
            identifier: identifier, position: position, start: start, end: start + Int(min(size, UInt64(1) << 60)))
    }

    /// Returns the elements in a part of the file, up to the first of unknown size or that goes beyond the part.
    mutating func elements(in range: Range<Int>) throws(DecodingFailure) -> [Element] {
        var (elements, position): ([Element], Int) = ([], range.lowerBound)
        while position < range.upperBound, let element = try element(at: position) {
            elements.append(element)
            guard let end = element.end, end <= range.upperBound else { break }
            position = end
        }
        return elements
    }

    /// Returns the elements inside another element, or none if it has an unknown size.
    ///
    /// - Throws: `unreadable`, `tooManyParts`.
    mutating func elements(in element: Element) throws(DecodingFailure) -> [Element] {
        try elements(in: element.start..<(element.end ?? element.start))
    }

    /// Returns the number in an element, at most 2^60, so a sum with another position cannot overflow.
    func number(in element: Element) throws(DecodingFailure) -> Int? {
        guard let end = element.end, end - element.start <= 8 else { return nil }
        let value = try file.bytes(at: element.start, count: end - element.start).reduce(UInt64(0)) {
            $0 << 8 | UInt64($1)
        }
        return Int(min(value, UInt64(1) << 60))
    }

    /// Returns the number in the first four bytes of an element, or nil if it has fewer.
    func beginning(of element: Element) throws(DecodingFailure) -> Int? {
        let count = min(4, (element.end ?? element.start) - element.start)
        return try file.bytes(at: element.start, count: count).bigEndian(at: 0, as: UInt32.self).map(Int.init)
    }

    /// Returns the text in an element, without the zeros behind it, or nil if it is longer than a name.
    func text(in element: Element) throws(DecodingFailure) -> String? {
        guard let end = element.end, end - element.start <= Self.longestText else { return nil }
        let bytes = try file.bytes(at: element.start, count: end - element.start)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The most elements that are read; ten hours of pictures and sound from a live recording have fewer.
    private static let mostElements = 8_000_000
    static let longestHeader = 12
    private static let longestText = 64
    private static let windowSize = 8 << 10
}
