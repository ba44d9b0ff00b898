// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The number of coded pictures of which each item of a HEIF or AVIF file is made.
///
/// libheif 1.21 and later leave a tile of a grid blank that cannot be read or decoded. Whether all were decoded is
/// known by their number.
struct CodedItemCounts {
    private let items: ItemBoxes
    private var targets: [Int: [Int]] = [:]
    /// The item of each picture's opacity.
    private let opacity: [Int: Int]
    private var counts: [Int: Int] = [:]
    private var isOpen: Set<Int> = []

    init(_ items: ItemBoxes, opacity: [Int: Int]) {
        self.items = items
        self.opacity = opacity
        for reference in items.references where reference.type == "dimg" {
            targets[reference.from, default: []] += reference.to
        }
    }

    /// Returns how often libheif decodes coded data for a picture with its opacity.
    ///
    /// - Throws: `malformed` if a picture is made of itself, or of an item that is missing or cut off.
    mutating func count(forPicture picture: Int) throws(DecodingFailure) -> Int {
        let opacityCount = if let item = opacity[picture] { try count(of: item) } else { 0 }
        return min(try count(of: picture) + opacityCount, Self.most)
    }

    private mutating func count(of item: Int) throws(DecodingFailure) -> Int {
        if let known = counts[item] { return known }
        guard let kind = items.items[item]?.type else {
            throw ItemBoxes.malformed("a part of a picture that is missing")
        }
        guard let parts = targets[item], PictureItems.derivedTypes.contains(kind) else {
            return PictureItems.codedTypes.contains(kind) ? 1 : 0
        }
        guard isOpen.insert(item).inserted else { throw ItemBoxes.malformed("a picture that is made of itself") }
        var sum = 0
        for part in parts {
            guard !items.cutItems.contains(part) else {
                throw ItemBoxes.malformed("a part of a picture that is cut off")
            }
            sum = min(sum + (try count(of: part)), Self.most)
        }
        isOpen.remove(item)
        counts[item] = sum
        return sum
    }

    /// More than libheif decodes; sums stop there.
    private static let most = 1 << 30
}
