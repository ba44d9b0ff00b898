// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// A layer of a Photoshop file that has pixels.
package struct PhotoshopLayer {
    package let width: Int
    package let height: Int
    /// The places of the channels by their numbers, each with its compression; the number −1 is opacity.
    package let channels: [Int: Range<Int>]

    /// Returns all layers with pixels.
    ///
    /// - Parameters:
    ///   - section: the section of layers and masks; layers of 16 bits are in a block of their own.
    ///   - size: the size of the picture.
    ///   - colours: the colours of the file, which are those of its layers.
    static func layers(
        in section: Range<Int>, of file: InputFile, size: (width: Int, height: Int),
        _ colours: PhotoshopStructure.Colours
    ) throws(DecodingFailure) -> [PhotoshopLayer] {
        guard !section.isEmpty else { return [] }
        let list = try part(at: section.lowerBound, in: section, of: file)
        var layers = list.count > 2 ? try read(list, of: file, colours, onlySize: size) : []
        guard list.upperBound + 4 <= section.upperBound else { return layers }
        let mask = try part(at: list.upperBound, in: section, of: file)
        // ImageMagick looks for blocks within the mask if the list is empty.
        let words = try file.bytes(at: mask.lowerBound, count: min(mask.count, mostDescriptionBytes))
        let hasBlock = words.indices.contains { words.hasText("8BIM", at: $0) || words.hasText("8B64", at: $0) }
        guard !hasBlock else { throw DecodingFailure(.unusualEntry, .photoshop) }
        var position = mask.upperBound
        while position + 12 <= section.upperBound {
            let head = try file.bytes(at: position, count: 12)
            guard head.hasText("8BIM", at: 0) || head.hasText("8B64", at: 0) else {
                // Blocks may be filled to a multiple of four bytes.
                guard head[0] == 0 else { throw .brokenPhotoshop("a block of layers is broken") }
                position += 1
                continue
            }
            let content = try part(at: position + 8, in: section, of: file)
            if ["Lr16", "Lr32", "Layr"].contains(String(decoding: head[4..<8], as: UTF8.self)) {
                guard layers.isEmpty else { throw DecodingFailure(.resourceTwice, .photoshop) }
                layers = try read(content, of: file, colours, onlySize: nil)
            }
            position = content.upperBound
        }
        return layers
    }

    /// Returns the place of a part behind its length.
    private static func part(
        at position: Int, in section: Range<Int>, of file: InputFile
    ) throws(DecodingFailure) -> Range<Int> {
        let length: UInt32? = try file.bytes(at: position, count: 4).bigEndian(at: 0)
        guard let length, position + 4 + Int(length) <= section.upperBound else {
            throw .brokenPhotoshop("a list of layers is cut off")
        }
        return (position + 4)..<(position + 4 + Int(length))
    }

    /// Reads the descriptions of all layers, and behind them the places of their channels.
    ///
    /// - Parameter onlySize: in the list that Pillow reads, the size of the only layer that is allowed. Pillow draws
    ///   layers over what it showed before, and finds the data of some layers in another place.
    private static func read(
        _ list: Range<Int>, of file: InputFile, _ colours: PhotoshopStructure.Colours,
        onlySize: (width: Int, height: Int)?
    ) throws(DecodingFailure) -> [PhotoshopLayer] {
        let bytes = try file.bytes(at: list.lowerBound, count: min(list.count, mostDescriptionBytes))
        func number(_ offset: Int) throws(DecodingFailure) -> Int {
            guard let number: UInt32 = bytes.bigEndian(at: offset) else {
                throw .brokenPhotoshop("a list of layers is cut off")
            }
            return Int(Int32(bitPattern: number))
        }
        func short(_ offset: Int) -> Int {
            Int(Int16(bitPattern: bytes.bigEndian(at: offset, as: UInt16.self) ?? 0))
        }
        // A negative number means that the first extra channel of the merged picture is opacity.
        let count = abs(short(0))
        guard onlySize == nil || count <= 1 else { throw DecodingFailure(.layersOverOthers, .photoshop) }
        var described: [(width: Int, height: Int, channels: [(Int, Int)])] = []
        var position = 2
        for _ in 0..<count {
            let (top, left) = (try number(position), try number(position + 4))
            let (bottom, right) = (try number(position + 8), try number(position + 12))
            let channelCount = short(position + 16)
            guard (0...mostChannels).contains(channelCount), bottom >= top, right >= left else {
                throw .brokenPhotoshop("a layer is broken")
            }
            var channels: [(Int, Int)] = []
            for index in 0..<channelCount {
                let place = position + 18 + 6 * index
                let size = try number(place + 2)
                guard size >= 0 else { throw .brokenPhotoshop("a layer is broken") }
                channels.append((short(place), size))
            }
            if let onlySize {
                // Pillow passes over layers of other channels, but not over their data.
                let numbers = channels.map(\.0).sorted()
                guard top == 0, left == 0, bottom == onlySize.height, right == onlySize.width,
                    [[0], [0, 1, 2], [-1, 0, 1, 2]].contains(numbers)
                else { throw DecodingFailure(.layersOverOthers, .photoshop) }
            }
            let extra = try number(position + 18 + 6 * channelCount + 12)
            guard extra >= 0 else { throw .brokenPhotoshop("a layer is broken") }
            position += 18 + 6 * channelCount + 16 + extra
            described.append((right - left, bottom - top, channels))
        }
        position += list.lowerBound
        var layers: [PhotoshopLayer] = []
        for layer in described {
            var places: [Int: Range<Int>] = [:]
            for (number, size) in layer.channels {
                // Pillow begins each channel at an even place.
                guard onlySize == nil || position % 2 == 0 else { throw DecodingFailure(.layersOverOthers, .photoshop) }
                guard position + size <= list.upperBound else { throw .brokenPhotoshop("a layer is cut off") }
                guard places.updateValue(position..<(position + size), forKey: number) == nil else {
                    throw DecodingFailure(.resourceTwice, .photoshop)
                }
                position += size
                // ImageMagick takes masks for opacity, and further channels for colours.
                guard number == -1 || (0..<colours.channelCount).contains(number) else {
                    throw DecodingFailure(.unusualEntry, .photoshop)
                }
                let compression: UInt16? = try file.bytes(at: position - size, count: 2).bigEndian(at: 0)
                // Pillow does not find the channel behind one of another compression.
                guard onlySize == nil || size < 2 || compression.map({ $0 <= 1 }) == true else {
                    throw DecodingFailure(
                        .unsupportedVariant, format: .photoshop, detail: "the compression of a layer")
                }
            }
            guard layer.width > 0, layer.height > 0, places.keys.contains(where: { $0 >= 0 }) else { continue }
            layers.append(PhotoshopLayer(width: layer.width, height: layer.height, channels: places))
        }
        return layers
    }

    private static let mostDescriptionBytes = 64 << 20
    private static let mostChannels = 56
}
