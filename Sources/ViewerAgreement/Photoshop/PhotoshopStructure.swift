// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The parts of a Photoshop file: the merged picture, its layers and its small copy.
///
/// Source: Adobe, "Photoshop File Formats Specification", November 2019.
package struct PhotoshopStructure: ViewerStructure {
    package let width: Int
    package let height: Int
    /// The number of bits of a sample: 1, 8 or 16.
    package let depth: Int
    package let colours: Colours
    package let channelCount: Int
    /// The place of 256 colours, first all levels of red; empty without a palette.
    package let palette: Range<Int>
    /// The place of the merged picture, which begins with its compression.
    package let merged: Range<Int>
    /// The place of the colour profile.
    package private(set) var profile: Range<Int>?
    /// The places of small copies, which are JPEG pictures.
    package private(set) var thumbnails: [Range<Int>] = []
    package private(set) var layers: [PhotoshopLayer] = []

    package enum Colours: UInt16 {
        case bitmap = 0
        case grey = 1
        case indexed = 2
        case rgb = 3
        case inks = 4
        /// Grey that is printed with several inks.
        case duotone = 8

        /// The number of channels without opacity.
        package var channelCount: Int {
            switch self {
            case .bitmap, .grey, .indexed, .duotone: 1
            case .rgb: 3
            case .inks: 4
            }
        }
    }

    static func fits(_ prefix: [UInt8]) -> Bool { prefix.count >= 26 && prefix.hasText("8BPS\0\u{1}", at: 0) }

    /// - Throws: `unsupportedVariant`, `malformed`, `unreadable`, or a disagreement.
    package init(_ file: InputFile) throws(DecodingFailure) {
        let header = try file.bytes(at: 0, count: 26)
        guard Self.fits(header) else { throw .brokenPhotoshop("the header is broken") }
        func short(_ offset: Int) -> UInt16 { header.bigEndian(at: offset) ?? 0 }
        func number(_ offset: Int) -> Int { Int(header.bigEndian(at: offset, as: UInt32.self) ?? 0) }
        (width, height, depth, channelCount) = (number(18), number(14), Int(short(22)), Int(short(12)))
        guard width > 0, height > 0, (1...56).contains(channelCount) else {
            throw .brokenPhotoshop("the header is broken")
        }
        guard let colours = Colours(rawValue: short(24)), channelCount >= colours.channelCount,
            colours == .bitmap ? depth == 1 : colours == .indexed ? depth == 8 : [8, 16].contains(depth)
        else {
            throw DecodingFailure(
                .unsupportedVariant, format: .photoshop, detail: "colours of the kind \(short(24)) with \(depth) bits")
        }
        self.colours = colours
        palette = try Self.section(at: 26, in: file)
        // ImageMagick applies a palette to any colours, and Qt counts its colours by its size.
        guard colours == .duotone || palette.count == (colours == .indexed ? 768 : 0) else {
            throw DecodingFailure(.paletteBesideColours, .photoshop)
        }
        let resources = try Self.section(at: palette.upperBound, in: file)
        let layers = try Self.section(at: resources.upperBound, in: file)
        // ImageMagick takes the second number in a section of this size for the size of the section.
        let second = try file.bytes(at: layers.lowerBound + 4, count: 4)
        guard layers.count != 8 || second == [0, 0, 0, 0] else { throw DecodingFailure(.unusualEntry, .photoshop) }
        merged = layers.upperBound..<file.byteCount
        try read(resources: resources, in: file)
        self.layers = try PhotoshopLayer.layers(in: layers, of: file, size: (width, height), colours)
        guard self.layers.isEmpty || colours != .bitmap else {
            throw DecodingFailure(.unsupportedVariant, format: .photoshop, detail: "layers of two levels")
        }
    }

    /// Returns the place of a section behind its length.
    private static func section(at position: Int, in file: InputFile) throws(DecodingFailure) -> Range<Int> {
        let length: UInt32? = try file.bytes(at: position, count: 4).bigEndian(at: 0)
        guard let length, position + 4 + Int(length) <= file.byteCount else {
            throw .brokenPhotoshop("a section is cut off")
        }
        return (position + 4)..<(position + 4 + Int(length))
    }

    private mutating func read(resources: Range<Int>, in file: InputFile) throws(DecodingFailure) {
        var position = resources.lowerBound
        var known: Set<UInt16> = []
        while position + 12 <= resources.upperBound {
            let head = try file.bytes(at: position, count: 8)
            guard Self.signatures.contains(where: { head.hasText($0, at: 0) }), let kind: UInt16 = head.bigEndian(at: 4)
            else { throw .brokenPhotoshop("a resource is broken") }
            // A name with its length, filled to an even number of bytes.
            let start = position + 6 + (Int(head[6]) + 2) / 2 * 2
            guard let size: UInt32 = try file.bytes(at: start, count: 4).bigEndian(at: 0) else {
                throw .brokenPhotoshop("a resource is cut off")
            }
            let content = (start + 4)..<(start + 4 + Int(size))
            guard content.upperBound <= resources.upperBound else { throw .brokenPhotoshop("a resource is cut off") }
            guard known.insert(kind).inserted || !Self.shown.contains(kind) else {
                throw DecodingFailure(.resourceTwice, .photoshop)
            }
            switch kind {
            // Qt shows a colour of a palette as transparent.
            case Self.transparentColourKind where colours == .indexed:
                throw DecodingFailure(.paletteWithOpacity, .photoshop)
            case Self.profileKind: profile = content
            // Of older files, red and blue of the small copy are exchanged.
            case Self.oldThumbnailKind, Self.thumbnailKind:
                if content.count > 28, try file.bytes(at: content.lowerBound, count: 4) == [0, 0, 0, 1] {
                    thumbnails.append(content.dropFirst(28))
                }
            case Self.versionKind:
                // Without a merged picture, ImageMagick merges the layers by itself.
                guard try file.bytes(at: content.lowerBound + 4, count: 1) != [0] || content.count < 5 else {
                    throw DecodingFailure(.missingMergedPicture, .photoshop)
                }
            default: break
            }
            position = content.upperBound + content.count % 2
        }
    }

    /// The first four bytes of a resource, also those of other programs of Adobe.
    private static let signatures: [StaticString] = ["8BIM", "MeSa", "AgHg", "PHUT", "DCSR"]
    private static let (oldThumbnailKind, thumbnailKind): (UInt16, UInt16) = (1033, 1036)
    private static let (profileKind, versionKind): (UInt16, UInt16) = (1039, 1057)
    private static let transparentColourKind: UInt16 = 1047
    private static let shown: Set = [oldThumbnailKind, thumbnailKind, profileKind, versionKind]
}

extension DecodingFailure {
    /// Returns the failure of a file that is no Photoshop file as the format demands.
    package static func brokenPhotoshop(_ detail: String) -> DecodingFailure {
        DecodingFailure(.malformed, format: .photoshop, detail: detail)
    }
}
