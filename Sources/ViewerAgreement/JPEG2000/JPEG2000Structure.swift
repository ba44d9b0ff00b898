// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Checks the boxes of a JPEG 2000 file.
///
/// Source: ISO/IEC 15444-1, annex I.
package struct JPEG2000Structure: ViewerStructure {
    package let width: Int
    package let height: Int
    /// The number of bits of a sample.
    package let depth: Int
    /// The colour profile, which some programs apply; nil if the file has none.
    package let profile: [UInt8]?
    /// Whether colours are already multiplied by opacity.
    package private(set) var isPremultiplied = false

    /// Returns whether a file begins like JP2, or like a codestream alone.
    static func fits(_ prefix: [UInt8]) -> Bool {
        prefix.starts(with: JPEG2000Codestream.signature)
            || prefix.starts(with: [0, 0, 0, 12]) && prefix.hasText("jP  \r\n", at: 4)
    }

    package init(_ file: InputFile) throws(DecodingFailure) {
        guard try file.bytes(at: 0, count: 4) != JPEG2000Codestream.signature else {
            let codestream = try JPEG2000Codestream(file, in: 0..<file.byteCount)
            depth = try codestream.depth()
            try TrailingMedia.check(file, from: codestream.end, .jpeg2000)
            (width, height, profile) = (codestream.width, codestream.height, nil)
            return
        }
        var reader = MediaBoxes(file, maximumCount: Self.mostBoxes)
        let boxes = try reader.boxes(in: 0..<file.byteCount)
        func only(_ name: String, _ boxes: [MediaBoxes.Box]) throws(DecodingFailure) -> MediaBoxes.Box {
            let found = boxes.filter { $0.name == name }
            guard found.count <= 1 else { throw DecodingFailure(.boxTwice(name), .jpeg2000) }
            guard let box = found.first, box.isWhole else { throw Self.broken("the box \(name) is missing or cut off") }
            return box
        }
        guard boxes.allSatisfy({ Self.names.contains($0.name) }), !reader.isExhausted else {
            throw DecodingFailure(.foreignBoxes, .jpeg2000)
        }
        let (header, stream) = (try only("jp2h", boxes), try only("jp2c", boxes))
        let parts = try reader.boxes(in: header.content)
        guard parts.allSatisfy({ Self.partNames.contains($0.name) }) else {
            throw DecodingFailure(.foreignBoxes, .jpeg2000)
        }
        _ = try only("ihdr", parts)
        // The palette is applied by some programs, and libvips reads the numbers of colours.
        guard !parts.contains(where: { $0.name == "pclr" }) else { throw Self.unsupported("a palette") }
        let codestream = try JPEG2000Codestream(file, in: stream.content)
        guard codestream.end == stream.content.upperBound else { throw TrailingMedia.found(.jpeg2000) }
        (width, height) = (codestream.width, codestream.height)
        depth = try codestream.depth()
        profile = try Self.profile(in: parts.filter { $0.name == "colr" }, of: file)
        guard parts.contains(where: { $0.name == "cdef" }) else { return }
        let channels = try only("cdef", parts)
        try readChannels(try file.bytes(at: channels.content.lowerBound, count: channels.content.count), codestream)
    }

    /// Returns the profile in the descriptions of colours, of which most programs obey the first.
    private static func profile(
        in boxes: [MediaBoxes.Box], of file: InputFile
    ) throws(DecodingFailure) -> [UInt8]? {
        var profile: [UInt8]?
        for (index, box) in boxes.enumerated() {
            let kind = try file.bytes(at: box.content.lowerBound, count: min(7, box.content.count))
            switch (kind.first, kind.bigEndian(at: 3, as: UInt32.self)) {
            // Numbers of sRGB, of grey, and of YCbCr, which libvips converts as other programs do.
            case (1, 16), (1, 17), (1, 18): break
            case (2, _), (3, _):
                guard profile == nil else { throw DecodingFailure(.profileTwice, .jpeg2000) }
                profile = try file.bytes(
                    at: box.content.lowerBound + 3, count: min(box.content.count - 3, mostProfileBytes))
            default:
                // Descriptions of the extended format behind another are for programs that know them.
                guard index > 0 else { throw unsupported("its colours") }
            }
        }
        guard !boxes.isEmpty else { throw broken("the box colr is missing") }
        return profile
    }

    /// Checks that colours stand in their order, and that only opacity of the whole picture follows.
    private mutating func readChannels(
        _ bytes: [UInt8], _ codestream: JPEG2000Codestream
    ) throws(DecodingFailure) {
        let count = Int(bytes.bigEndian(at: 0, as: UInt16.self) ?? 0)
        guard count == codestream.sampleCount, bytes.count >= 2 + 6 * count else {
            throw DecodingFailure(.otherChannels, .jpeg2000)
        }
        for index in 0..<count {
            let (number, kind, place) = (
                bytes.bigEndian(at: 2 + 6 * index, as: UInt16.self),
                bytes.bigEndian(at: 4 + 6 * index, as: UInt16.self),
                bytes.bigEndian(at: 6 + 6 * index, as: UInt16.self)
            )
            let isLast = index == count - 1
            let isColour = kind == 0 && place == UInt16(index + 1)
            let isOpacity =
                isLast && count % 2 == 0 && (kind == 1 || kind == 2) && (place == 0 || count == 2 && place == 1)
            guard number == UInt16(index), isColour && !(isLast && count % 2 == 0) || isOpacity else {
                throw DecodingFailure(.otherChannels, .jpeg2000)
            }
            if isOpacity { isPremultiplied = kind == 2 }
        }
    }

    private static let names: Set = ["jP  ", "ftyp", "jp2h", "jp2c", "jp2i", "rreq", "xml ", "uuid", "uinf", "free"]
    private static let partNames: Set = ["ihdr", "bpcc", "colr", "pclr", "cmap", "cdef", "res "]
    private static let mostBoxes = 1000
    private static let mostProfileBytes = 16 << 20

    static func broken(_ detail: String) -> DecodingFailure {
        DecodingFailure(.malformed, format: .jpeg2000, detail: detail)
    }

    static func unsupported(_ detail: String) -> DecodingFailure {
        DecodingFailure(.unsupportedVariant, format: .jpeg2000, detail: detail)
    }
}
