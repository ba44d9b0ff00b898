// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The structure of Photoshop files")
struct PhotoshopStructureTests {
    private static func section(_ content: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(content.count)] + content }

    private static func resource(_ kind: [UInt8], _ content: [UInt8]) -> [UInt8] {
        Array("8BIM".utf8) + kind + [0, 0] + section(content) + (content.count % 2 == 0 ? [] : [0])
    }

    /// A picture of 2 × 1 pixels with three channels.
    private static func file(
        version: UInt8 = 1, depth: UInt8 = 8, colours: UInt8 = 3, palette: [UInt8] = [], resources: [UInt8] = [],
        layers: [UInt8] = []
    ) -> [UInt8] {
        Array("8BPS".utf8) + [0, version, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, depth, 0, colours]
            + section(palette) + section(resources) + section(layers) + [0, 0, 1, 2, 3, 4, 5, 6]
    }

    /// A list with one layer of `width` × 1 pixels, whose channels have one byte a pixel behind their compression.
    private static func layers(
        width: UInt8 = 2, numbers: [UInt8] = [0, 1, 2], size: UInt8 = 4, compression: UInt8 = 0
    ) -> [UInt8] {
        let channels = numbers.flatMap { [$0 == 255 ? 255 : 0, $0, 0, 0, 0, size] as [UInt8] }
        let place: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, width]
        let description = place + [0, UInt8(numbers.count)] + channels + Array("8BIMnorm".utf8) + [255, 0, 0, 0]
        let data = numbers.flatMap { _ in [0, compression] + [UInt8](repeating: 0, count: Int(size) - 2) }
        return [0, 1] + description + section([]) + data
    }

    private static func block(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array("8BIM".utf8) + Array(name.utf8) + section(content)
    }

    private static let drawnOver = "layers that programs draw over each other, or read otherwise"

    private static func structure(_ bytes: [UInt8]) throws -> PhotoshopStructure {
        try PhotoshopStructure(InputFile(SealedMemory.copying(bytes).descriptor))
    }

    private static func outcome(_ bytes: [UInt8]) -> String {
        do {
            _ = try structure(bytes)
            return "judged"
        } catch let failure as DecodingFailure {
            return failure.disagreement?.words ?? "\(failure.reason)"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "A Photoshop file has sections that end in the file, and each resource that is shown once",
        arguments: [
            (file(), "judged"), (file(depth: 32), "unsupportedVariant"), (file(colours: 9), "unsupportedVariant"),
            (file(depth: 16, colours: 2), "unsupportedVariant"), (file(colours: 2), "a palette beside colours"),
            (file(palette: [1]), "a palette beside colours"),
            (Array(file().prefix(30)), "malformed"),
            (file(resources: [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2]), "malformed"),
            (file(resources: resource([4, 33], [0, 0, 0, 1, 1])), "judged"),
            (file(resources: resource([4, 33], [0, 0, 0, 1, 0])), "layers without a merged picture"),
            (
                file(resources: resource([4, 15], [7]) + resource([4, 15], [7])),
                "a picture, a channel or a profile that is there twice"
            ),
            (file(resources: resource([3, 233], [7]) + resource([3, 233], [7])), "judged"),
            (file(layers: section(layers())), "judged"),
            (file(layers: section(layers(size: 4).dropLast())), "malformed"),
            (
                file(layers: section([]) + section([]) + block("Layr", layers(numbers: [0, 1, 1]))),
                "a picture, a channel or a profile that is there twice"
            ),
            (file(layers: section(layers(numbers: [0, 1, 3]))), drawnOver),
            (file(layers: section(layers(width: 1))), drawnOver),
            (file(layers: section([0, 2] + layers().dropFirst(2))), drawnOver),
            (
                file(layers: section([]) + section([]) + block("Layr", layers(numbers: [0, 1, 2, 4]))),
                "an entry of an unusual type"
            ),
            (file(layers: section(layers(compression: 2))), "unsupportedVariant"),
            (file(layers: section([]) + section([])), "judged"),
            (file(layers: section([0, 0, 0, 0])), "judged"),
            (file(layers: [0, 0, 0, 4, 0, 0, 0, 9]), "an entry of an unusual type"),
            (
                file(layers: section([]) + section(block("Lr16", layers()))), "an entry of an unusual type"
            ),
            (
                file(layers: section(layers()) + section([]) + block("Lr16", layers())),
                "a picture, a channel or a profile that is there twice"
            ),
            (file(layers: section([]) + section([]) + [9] + block("Lr16", layers())), "malformed"),
        ])
    func rules(file: [UInt8], expected: String) throws {
        #expect(try FormatSniffer.format(of: file) == .photoshop)
        #expect(Self.outcome(file) == expected)
    }

    @Test("A file for pictures over 30,000 pixels is no Photoshop file that is read")
    func large() throws {
        #expect(try FormatSniffer.format(of: Self.file(version: 2)) == nil)
    }

    @Test("Layers are found in their list and in a block of their own, and empty layers are left out")
    func places() throws {
        let ordinary = try Self.structure(Self.file(layers: Self.section(Self.layers(numbers: [0, 1, 2, 255]))))
        #expect(ordinary.layers.count == 1 && ordinary.layers[0].channels.keys.sorted() == [-1, 0, 1, 2])
        let wide = Self.section([]) + Self.section([]) + [0] + Self.block("Lr16", Self.layers())
        #expect(try Self.structure(Self.file(layers: wide)).layers.map(\.width) == [2])
        let empty = Self.section([]) + Self.section([]) + Self.block("Layr", Self.layers(width: 0))
        #expect(try Self.structure(Self.file(layers: empty)).layers.isEmpty)
    }

    @Test("The small copy is the JPEG behind its description")
    func thumbnail() throws {
        let copy = Self.resource([4, 12], [0, 0, 0, 1] + [UInt8](repeating: 0, count: 24) + [0xFF, 0xD8, 0xFF])
        let place = try #require(try Self.structure(Self.file(resources: copy)).thumbnails.first)
        #expect(place.count == 3 && Self.file(resources: copy)[place.lowerBound] == 0xFF)
        // A file may have a small copy of each kind.
        let old = Self.resource([4, 9], [0, 0, 0, 1] + [UInt8](repeating: 0, count: 24) + [0xFF, 0xD8, 0xFF])
        #expect(try Self.structure(Self.file(resources: old + copy)).thumbnails.count == 2)
    }
}
