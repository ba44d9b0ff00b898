// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import InterventionKit
import SensitiveContentAnalysis
import Testing

@Suite("Covers")
struct CoverSamplesTests {
    private static func image(_ width: Int, _ height: Int, _ color: (Int, Int) -> [UInt8]) throws -> CGImage {
        var pixels = Data()
        for y in 0..<height { for x in 0..<width { pixels.append(contentsOf: color(x, y)) } }
        return try CGImage(width: width, height: height, pixelFormat: .rgb24, pixels: pixels)
    }

    private static func noise(_ width: Int, _ height: Int, seed: UInt64 = 1) throws -> CGImage {
        var state = seed
        return try image(width, height) { _, _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return [UInt8(state >> 56), UInt8(state >> 48 & 255), UInt8(state >> 40 & 255)]
        }
    }

    @Test(
        "A cover has at most 9 by 9 samples, and few of a small picture",
        arguments: [
            (4000, 3000, 9, 6), (100, 1600, 1, 9), (5000, 3, 9, 1), (20, 20, 5, 5), (3, 3, 1, 1), (1, 1, 1, 1),
        ])
    func size(width: Int, height: Int, columns: Int, rows: Int) throws {
        let samples = try CoverSamples(of: Self.image(width, height) { _, _ in [80, 90, 250] })
        #expect(samples.width == columns && samples.height == rows)
        #expect(samples.colors == Array(repeating: [85, 85, 255], count: columns * rows).flatMap { $0 })
    }

    @Test("A cover has 64 colours, so that soft pictures cannot be restored")
    func colors() throws {
        let samples = try CoverSamples(
            of: Self.image(480, 480) { x, y in [UInt8(x / 2), UInt8(y / 2), UInt8((x + y) / 4)] })
        #expect(Set(samples.colors) == [0, 85, 170, 255] && samples.colors.count == 9 * 9 * 3)
    }

    @Test("Covers reveal gore by degrees, each finer than the one before")
    func degrees() throws {
        let image = try Self.noise(640, 480)
        let edges = try [InterventionPresentation.Cover.full, .coarse, .fine].map {
            try CoverSamples(of: image, cover: $0).width
        }
        #expect(edges == [9, 28, 72])
        let error = #expect(throws: SensitivityAnalysisError.self) { try CoverSamples(of: image, cover: .none) }
        #expect(error?.code == .invalidArgument)
    }

    @Test("Covers of pictures that differ only within their samples are the same")
    func nothingElse() throws {
        // Both pictures have the same pixels in each of 9 × 9 blocks, but in another order.
        let one = try Self.image(180, 180) { x, y in [UInt8(x % 20 * 12), UInt8(y % 20 * 12), UInt8((x + y) % 20 * 12)]
        }
        let other = try Self.image(180, 180) { x, y in
            let (x, y) = (x / 20 * 20 + (x + 7) % 20, y / 20 * 20 + (y + 13) % 20)
            return [UInt8(x % 20 * 12), UInt8(y % 20 * 12), UInt8((x + y) % 20 * 12)]
        }
        let (oneCover, otherCover) = (try CoverSamples(of: one), try CoverSamples(of: other))
        #expect(oneCover == otherCover)
        #expect(try oneCover.picture(width: 50, height: 50).rgb() == otherCover.picture(width: 50, height: 50).rgb())
    }

    @Test("A cover is enlarged smoothly, to the colours of its samples at their places")
    func picture() throws {
        let samples = try CoverSamples(of: Self.image(180, 180) { x, y in [UInt8(x), UInt8(y), UInt8((x + y) / 2)] })
        #expect(samples.width == 9 && Set(samples.colors).count >= 3)
        // Each sample is in the middle of a block of 5 × 5 pixels.
        let cover = try samples.picture(width: 45, height: 45).rgb()
        for row in 0..<9 {
            for column in 0..<9 {
                let pixel = ((row * 5 + 2) * 45 + column * 5 + 2) * 3
                let sample = (row * 9 + column) * 3
                #expect(Array(cover[pixel..<pixel + 3]) == Array(samples.colors[sample..<sample + 3]))
            }
        }
        for size in [0, -1, 65_536] {
            #expect(throws: SensitivityAnalysisError.self) { try samples.picture(width: size, height: 10) }
        }
        #expect(throws: SensitivityAnalysisError.self) { try samples.picture(width: 65_535, height: 65_535) }
        #expect(try samples.picture(width: 1, height: 1).width == 1)
    }

    @Test("In a cover, black and white lines are grey, and transparent pixels lie on white")
    func averages() throws {
        let lines = try Self.image(120, 120) { x, _ in x % 2 == 0 ? [0, 0, 0] : [255, 255, 255] }
        #expect(try CoverSamples(of: lines, cover: .fine).colors.allSatisfy { $0 == 127 || $0 == 128 })
        let clear = try CGImage(width: 40, height: 40, pixelFormat: .rgba32, pixels: Data(count: 40 * 40 * 4))
        #expect(try CoverSamples(of: clear).colors.allSatisfy { $0 == 255 })
    }
}

extension CGImage {
    /// Returns the pixels of an image as RGB, three bytes a pixel.
    fileprivate func rgb() throws -> [UInt8] {
        guard let view = try views().first else { return [] }
        return view.storage.withBytes { Array($0) }
    }
}
