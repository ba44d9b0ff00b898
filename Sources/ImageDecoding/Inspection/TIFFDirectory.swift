// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

/// What the first image file directory of a TIFF file says about its being the main picture.
///
/// Camera files are TIFF files as well, and many keep a thumbnail in the first directory and the picture in a
/// directory below it. Source: TIFF revision 6.0, sections 2 and 8; BigTIFF; DNG specification, chapter 2.
struct TIFFDirectory {
    private(set) var isReducedVersion = false
    private(set) var hasDirectoriesBelow = false

    /// - Throws: `malformed` where it has more entries than libtiff reads, and `unreadable`.
    init(_ file: InputFile) throws(DecodingFailure) {
        let header = try file.bytes(at: 0, count: 16)
        let isLittle = header.first == 0x49
        func number16(_ bytes: [UInt8], _ offset: Int) -> Int {
            Int((isLittle ? bytes.littleEndian(at: offset) : bytes.bigEndian(at: offset)) ?? UInt16(0))
        }
        func number32(_ bytes: [UInt8], _ offset: Int) -> Int {
            Int((isLittle ? bytes.littleEndian(at: offset) : bytes.bigEndian(at: offset)) ?? UInt32(0))
        }
        func number64(_ bytes: [UInt8], _ offset: Int) -> Int {
            Int(clamping: (isLittle ? bytes.littleEndian(at: offset) : bytes.bigEndian(at: offset)) ?? UInt64(0))
        }
        let isBig = number16(header, 2) == 43
        let start = isBig ? number64(header, 8) : number32(header, 4)
        let countSize = isBig ? 8 : 2
        let counter = try file.bytes(at: start, count: countSize)
        let count = isBig ? number64(counter, 0) : number16(counter, 0)
        let entrySize = isBig ? 20 : 12
        // Entries are two bytes of tag, two of type, the count of values, and the value or its position.
        guard count > 0, start < file.byteCount else { return }
        guard count <= Self.mostEntries else {
            throw DecodingFailure(.malformed, format: .tiff, detail: "\(count) entries in a directory")
        }
        let entries = try file.bytes(at: start + countSize, count: count * entrySize)
        for offset in stride(from: 0, to: entries.count - entrySize + 1, by: entrySize) {
            switch number16(entries, offset) {
            case Self.newSubfileType:
                let value = offset + (isBig ? 12 : 8)
                // Of several entries readers take one or another, so each of them counts.
                let flags =
                    switch number16(entries, offset + 2) {
                    case Self.byte: Int(entries[value])
                    case Self.short: number16(entries, value)
                    case Self.long8 where isBig: number64(entries, value)
                    default: number32(entries, value)
                    }
                isReducedVersion = isReducedVersion || flags & 1 == 1
            case Self.subIFDs: hasDirectoriesBelow = true
            default: break
            }
        }
    }

    /// The most entries of a directory that libtiff reads.
    private static let mostEntries = 4096
    // Types of values, of which libtiff takes each for this entry.
    private static let byte = 1
    private static let short = 3
    private static let long8 = 16
    private static let newSubfileType = 254
    private static let subIFDs = 330
}
