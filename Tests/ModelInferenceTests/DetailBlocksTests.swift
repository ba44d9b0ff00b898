// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@testable import ModelInference

@Suite("Blocks of details")
struct DetailBlocksTests {
    private static let (width, height) = (400, 320)
    private static let inner = UnitRectangle(left: 0.25, top: 0.25, right: 0.75, bottom: 0.75)

    /// A colour of a pattern without straight edges, in which neighbouring pixels differ.
    private static func pattern(_ x: Int, _ y: Int) -> [UInt8] {
        let level = (x * 37 + y * 91 + x * y * 13) % 101
        return [UInt8(level), UInt8(level / 2), UInt8(100 - level)]
    }

    private static func isInner(_ x: Int, _ y: Int) -> Bool { (100..<300).contains(x) && (80..<240).contains(y) }

    private static func blocks(_ color: (Int, Int) -> [UInt8]) -> [UnitRectangle] {
        let pixels = (0..<height).flatMap { y in (0..<width).flatMap { x in color(x, y) } }
        return DetailBlocks(pixels, width: width, height: height).rectangles(atLeast: 32)
    }

    private static func rectangles(_ color: (Int, Int) -> [UInt8]) throws -> [UnitRectangle] {
        let image = try PreprocessorTests.image(width: width, height: height, color)
        return RectangleFinder(in: PictureView(image)).rectangles()
    }

    @Test func `a block is found on one colour and on a slope, also where a side is as bright as its surroundings`() {
        let surroundings: [(Int, Int) -> [UInt8]] = [
            { _, _ in [250, 250, 250] }, { x, y in [UInt8(x / 2), UInt8(y / 2), 90] },
        ]
        for color in surroundings {
            let found = Self.blocks { x, y in Self.isInner(x, y) ? Self.pattern(x, y) : color(x, y) }
            #expect(found.count == 1 && found[0].overlap(with: Self.inner) > 0.95, "\(found)")
            let open = Self.blocks { x, y in
                let isHidden = (120..<200).contains(x) && (80..<110).contains(y)
                return Self.isInner(x, y) && !isHidden ? Self.pattern(x, y) : color(x, y)
            }
            #expect(open.count == 1 && open[0].overlap(with: Self.inner) > 0.95, "\(open)")
        }
    }

    @Test func `a line of text that touches a picture is cut off`() throws {
        let found = Self.blocks { x, y in
            let isText = (300..<390).contains(x) && (100..<112).contains(y)
            return Self.isInner(x, y) || isText ? Self.pattern(x, y) : [250, 250, 250]
        }
        #expect(found.count == 1 && found[0].overlap(with: Self.inner) > 0.95, "\(found)")
    }

    @Test func `a picture that is all details, or all smooth, has no block, and a small block is left out`() {
        #expect(Self.blocks(Self.pattern).isEmpty)
        #expect(Self.blocks { x, y in [UInt8(x / 2), UInt8(y / 2), 90] }.isEmpty)
        #expect(
            Self.blocks { x, y in
                (100..<130).contains(x) && (100..<130).contains(y) ? Self.pattern(x, y) : [250, 250, 250]
            }.isEmpty)
    }

    @Test func `a block with edges along its sides is a rectangle, and a round thing before one colour is none`()
        throws
    {
        // The upper side is as bright as the surroundings, so the edges alone show no rectangle.
        func framed(_ x: Int, _ y: Int) -> [UInt8] {
            guard Self.isInner(x, y) else { return [250, 250, 250] }
            return y < 100 && x % 9 > 1 ? [250, 250, 250] : Self.pattern(x, y)
        }
        let found = try Self.rectangles(framed)
        #expect(found.contains { $0.overlap(with: Self.inner) > 0.9 }, "\(found)")
        let round = try Self.rectangles { x, y in
            (x - 200) * (x - 200) + (y - 160) * (y - 160) < 90 * 90 ? Self.pattern(x, y) : [250, 250, 250]
        }
        #expect(round.isEmpty, "\(round)")
    }
}
