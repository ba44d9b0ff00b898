// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The boxes of a HEIF or AVIF file that describe its items.
///
/// Source: ISO/IEC 14496-12, sections 8.11 and 8.13.
struct ItemBoxes {
    struct Item {
        let type: String
        let flags: Int
        /// The position of the last byte of its flags in the file, in bytes.
        let flagsPosition: Int

        var isHidden: Bool { flags & 1 == 1 }
    }

    struct Reference {
        let type: String
        let from: Int
        let to: [Int]
        /// The position of the reference's box in the file, in bytes.
        let position: Int
        /// The number of bytes of an item's number.
        let numberSize: Int
    }

    private(set) var primary = 0
    private(set) var items: [Int: Item] = [:]
    private(set) var references: [Reference] = []
    /// The byte ranges of the file that hold each item's data, by item number and in order.
    private(set) var parts: [Int: [Range<Int>]] = [:]
    /// The items whose data go beyond the end of the file.
    private(set) var cutItems: Set<Int> = []
    /// The items whose data are not located by positions in this file; FFmpeg reads them as if they were.
    private(set) var itemsElsewhere: Set<Int> = []
    /// The content of the box for data beside the items; empty if there is none.
    private(set) var ownData = 0..<0
    /// The property boxes, which items share.
    private(set) var properties: [MediaBoxes.Box] = []
    /// An entry in the list of an item's properties.
    struct Association {
        /// The position of the property's box in `properties`, counted from one; 0 is no property.
        let place: Int
        /// The bytes of the entry, and their position in the file.
        let bytes: [UInt8]
        let position: Int
    }

    /// The entries of each item's properties, in order.
    private(set) var associations: [Int: [Association]] = [:]
    private let file: InputFile
    private var reader: MediaBoxes

    /// - Parameter meta: the content of the metadata box.
    /// - Throws: `malformed`, `tooManyPictures`, `ambiguousRendering` if a box, an item or a location is there twice.
    init(_ file: InputFile, in meta: Range<Int>, maximumBoxCount: Int) throws(DecodingFailure) {
        self.file = file
        reader = MediaBoxes(file, maximumCount: maximumBoxCount)
        var children: [String: MediaBoxes.Box] = [:]
        for box in try reader.boxes(in: (meta.lowerBound + 4)..<max(meta.lowerBound + 4, meta.upperBound))
        where Self.names.contains(box.name) {
            guard box.isWhole else { throw Self.malformed("a box of its items that is cut off") }
            guard children.updateValue(box, forKey: box.name) == nil else { throw DecodingFailure(.boxTwice(box.name)) }
        }
        if let box = children["pitm"] {
            let cursor = try Cursor(file, box)
            primary = try cursor.number(at: 4, size: cursor.version == 0 ? 2 : 4)
        }
        if let box = children["iinf"] { try readItems(box) }
        if let box = children["iref"] { try readReferences(box) }
        if let box = children["idat"] { ownData = box.content }
        if let box = children["iloc"] { try readLocations(box, data: children["idat"]) }
        if let box = children["iprp"] {
            for container in try reader.boxes(in: box.content) {
                if container.name == "ipco" { properties += try reader.boxes(in: container.content) }
                if container.name == "ipma" { try readAssociations(container) }
            }
        }
        guard !reader.isExhausted else {
            throw DecodingFailure(.tooManyPictures, value: UInt64(maximumBoxCount), bound: UInt64(maximumBoxCount))
        }
    }

    /// Returns the properties of an item, in order.
    func properties(of item: Int) -> [MediaBoxes.Box] {
        // Property numbers count from one; zero means no property.
        (associations[item] ?? []).compactMap(property)
    }

    /// Returns the property that an entry names, or nil if there is none.
    func property(of association: Association) -> MediaBoxes.Box? {
        properties.indices.contains(association.place - 1) ? properties[association.place - 1] : nil
    }

    private mutating func readAssociations(_ box: MediaBoxes.Box) throws(DecodingFailure) {
        var cursor = try Cursor(file, box)
        let isWide = cursor.flags & 1 == 1
        cursor.position = 4
        let count = try cursor.next(4)
        for _ in 0..<count {
            let item = try cursor.next(cursor.version == 0 ? 2 : 4)
            let propertyCount = try cursor.next(1)
            for _ in 0..<propertyCount {
                // The upper bit marks a property that a reader must support.
                let position = box.content.lowerBound + cursor.position
                let entry = try cursor.next(isWide ? 2 : 1)
                let bytes = isWide ? [UInt8(entry >> 8), UInt8(entry & 0xFF)] : [UInt8(entry)]
                let place = entry & (isWide ? 0x7FFF : 0x7F)
                associations[item, default: []].append(Association(place: place, bytes: bytes, position: position))
            }
        }
    }

    private mutating func readItems(_ box: MediaBoxes.Box) throws(DecodingFailure) {
        let version = try Cursor(file, box).version
        let start = box.content.lowerBound + (version == 0 ? 6 : 8)
        for entry in try reader.boxes(in: start..<max(start, box.content.upperBound)) where entry.name == "infe" {
            let cursor = try Cursor(file, entry)
            guard cursor.version >= 2 else { continue }
            let size = cursor.version == 2 ? 2 : 4
            let number = try cursor.number(at: 4, size: size)
            let item = Item(
                type: try cursor.text(at: 4 + size + 2), flags: cursor.flags,
                flagsPosition: entry.content.lowerBound + 3)
            guard items.updateValue(item, forKey: number) == nil else { throw DecodingFailure(.itemTwice) }
        }
    }

    private mutating func readReferences(_ box: MediaBoxes.Box) throws(DecodingFailure) {
        let size = try Cursor(file, box).version == 0 ? 2 : 4
        let start = box.content.lowerBound + 4
        for entry in try reader.boxes(in: start..<max(start, box.content.upperBound)) {
            let cursor = try Cursor(file, entry)
            let count = try cursor.number(at: size, size: 2)
            references.append(
                Reference(
                    type: entry.name, from: try cursor.number(at: 0, size: size),
                    to: try (0..<count).map { index throws(DecodingFailure) in
                        try cursor.number(at: size + 2 + index * size, size: size)
                    }, position: entry.position, numberSize: size))
        }
    }

    private mutating func readLocations(
        _ box: MediaBoxes.Box, data: MediaBoxes.Box?
    ) throws(DecodingFailure) {
        var cursor = try Cursor(file, box)
        cursor.position = 4
        let sizes = try cursor.next(2)
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = cursor.version == 0 ? 0 : sizes & 15
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }) else {
            throw Self.malformed("numbers of unusual sizes")
        }
        var partCount = 0
        for _ in 0..<(try cursor.next(cursor.version < 2 ? 2 : 4)) {
            let item = try cursor.next(cursor.version < 2 ? 2 : 4)
            let method = cursor.version == 0 ? 0 : try cursor.next(2) & 15
            if try cursor.next(2) != 0 || method != 0 { itemsElsewhere.insert(item) }
            let base = try cursor.next(baseSize)
            var ranges: [Range<Int>] = []
            for _ in 0..<(try cursor.next(2)) {
                // A part may be listed in 0 bytes, so only this bound limits the number of parts.
                partCount += 1
                guard partCount <= Self.mostParts else {
                    throw DecodingFailure(
                        .tooManyPictures, value: UInt64(partCount), bound: UInt64(Self.mostParts))
                }
                _ = try cursor.next(indexSize)
                let (offset, length) = (try cursor.next(offsetSize), try cursor.next(lengthSize))
                let origin = method == 1 ? data?.content.lowerBound ?? 0 : 0
                let (start, overflow) = (origin + base).addingReportingOverflow(offset)
                guard method < 2, !overflow, start <= file.byteCount else {
                    throw Self.malformed("an item outside of the file")
                }
                if length > file.byteCount - start { cutItems.insert(item) }
                let end = length == 0 ? file.byteCount : min(file.byteCount, start + min(length, file.byteCount))
                ranges.append(start..<end)
            }
            guard parts.updateValue(ranges, forKey: item) == nil else { throw DecodingFailure(.itemLocatedTwice) }
        }
    }

    static func malformed(_ detail: String) -> DecodingFailure { DecodingFailure(.malformed, detail: detail) }

    private static let mostParts = 100_000
    private static let names: Set = ["pitm", "iinf", "iref", "iloc", "iprp", "idat"]
}

/// Reads numbers and four-character codes in the content of a box.
private struct Cursor {
    private let bytes: [UInt8]
    var position = 0

    init(_ file: InputFile, _ box: MediaBoxes.Box) throws(DecodingFailure) {
        bytes = try file.bytes(at: box.content.lowerBound, count: min(box.content.count, Self.mostBytes))
    }

    var version: Int { Int(bytes.first ?? 0) }
    var flags: Int { bytes.count >= 4 ? Int(bytes[1]) << 16 | Int(bytes[2]) << 8 | Int(bytes[3]) : 0 }

    func number(at offset: Int, size: Int) throws(DecodingFailure) -> Int {
        guard offset + size <= bytes.count else { throw ItemBoxes.malformed("a box that ends early") }
        // No file has positions of more than 48 bits.
        return bytes[offset..<(offset + size)].reduce(0) { ($0 << 8 | Int($1)) & 0xFFFF_FFFF_FFFF }
    }

    func text(at offset: Int) throws(DecodingFailure) -> String {
        guard offset + 4 <= bytes.count else { throw ItemBoxes.malformed("a box that ends early") }
        return String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
    }

    mutating func next(_ size: Int) throws(DecodingFailure) -> Int {
        defer { position += size }
        return try number(at: position, size: size)
    }

    private static let mostBytes = 4 << 20
}
