// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

extension PictureItems {
    /// Returns the changes with which libheif and libvips read what the standard allows.
    static func repairs(
        of items: ItemBoxes, in file: InputFile
    ) throws(DecodingFailure) -> [(position: Int, bytes: [UInt8])] {
        try sharedMaps(of: items, in: file) + earlySizes(of: items) + brandOfPicture(in: file)
            + opacityOfNoItem(of: items)
    }

    /// Returns the change that gives a sequence of AVIF the brand of a picture as well.
    ///
    /// libheif reads the first picture of a sequence only if a brand of pictures is among the compatible ones.
    private static func brandOfPicture(
        in file: InputFile
    ) throws(DecodingFailure) -> [(position: Int, bytes: [UInt8])] {
        let head = try file.bytes(at: 0, count: longestType)
        guard head.hasText("ftyp", at: 4), let length: UInt32 = head.bigEndian(at: 0) else { return [] }
        let brands = stride(from: firstBrand, to: min(head.count, Int(length)) - 3, by: 4)
        guard !brands.contains(where: { head.hasText("avif", at: $0) || head.hasText("mif1", at: $0) }),
            let sequence = brands.first(where: { head.hasText("avis", at: $0) })
        else { return [] }
        return [(sequence, Array("avif".utf8))]
    }

    private static let (firstBrand, longestType) = (16, 256)

    /// Returns the changes that hide maps which belong to several pictures.
    ///
    /// iOS 18 gives a gain map to the primary picture and to the picture that they make together. libheif 1.15 refuses
    /// such a file. Once the reference is renamed and the map hidden, libheif passes over the map as over other maps.
    private static func sharedMaps(
        of items: ItemBoxes, in file: InputFile
    ) throws(DecodingFailure) -> [(position: Int, bytes: [UInt8])] {
        var changes: [(position: Int, bytes: [UInt8])] = []
        for reference in items.references where reference.type == "auxl" && reference.to.count > 1 {
            guard let map = items.items[reference.from], try !isOpacity(reference.from, of: items, in: file) else {
                continue
            }
            changes.append((reference.position + 4, Array("free".utf8)))
            changes.append((map.flagsPosition, [UInt8(map.flags & 0xFF | 1)]))
        }
        return changes
    }

    /// Returns the changes by which opacity of an item that is not there belongs to the primary picture.
    ///
    /// Some programs write wrong numbers, and libheif 1.15 refuses such a file.
    private static func opacityOfNoItem(of items: ItemBoxes) -> [(position: Int, bytes: [UInt8])] {
        items.references.compactMap { reference in
            guard reference.type == "auxl", reference.to.count == 1, items.items[reference.to[0]] == nil else {
                return nil
            }
            // The number stands behind the head of the box, the number of the opacity, and a count of two bytes.
            let bytes = (0..<reference.numberSize).reversed().map {
                UInt8(truncatingIfNeeded: items.primary >> (8 * $0))
            }
            return (reference.position + 8 + reference.numberSize + 2, bytes)
        }
    }

    /// Returns the changes that list the size of each picture before its rotation.
    ///
    /// libvips mistakes width for height where the size comes behind a rotation. The order of sizes has no meaning.
    /// Source: ISO/IEC 23008-12, section 6.5.3.
    private static func earlySizes(of items: ItemBoxes) -> [(position: Int, bytes: [UInt8])] {
        var changes: [(position: Int, bytes: [UInt8])] = []
        for entries in items.associations.values {
            guard let size = entries.firstIndex(where: { items.property(of: $0)?.name == "ispe" }),
                entries[..<size].contains(where: { items.property(of: $0)?.name == "irot" }),
                Set(entries.map(\.bytes.count)).count == 1
            else { continue }
            let sorted = [entries[size]] + entries[..<size]
            changes += zip(entries, sorted).map { ($0.position, $1.bytes) }
        }
        return changes
    }
}
