// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import AnalysisCore

/// The rule by which the gate takes a frame for the same as judged frames, on drawn pictures.
@Suite struct FrameSketchTests {
    /// Creates the sketch of a grey picture.
    static func sketch(
        width: Int = 256, height: Int = 144, _ level: (_ x: Int, _ y: Int) -> Double
    ) throws -> FrameSketch {
        var samples = [UInt8](repeating: 128, count: width * height * 3 / 2)
        for y in 0..<height { for x in 0..<width { samples[y * width + x] = UInt8(min(235, max(16, level(x, y)))) } }
        let storage = ArrayPixelStorage(samples), size = width * height
        let planes = [(0, width), (size, width / 2), (size * 5 / 4, width / 2)].map {
            VideoPixels.Plane(storage: storage, offset: $0.0, bytesPerRow: $0.1)
        }
        let pixels = try #require(VideoPixels(format: .i420Video, width: width, height: height, planes: planes))
        return try #require(FrameSketch(pixels))
    }

    /// A place with waves of several lengths.
    static func landscape(_ x: Int, _ y: Int) -> Double {
        let (x, y) = (Double(x), Double(y))
        return 128 + 50 * wave(x * 0.06 + 1) * wave(y * 0.08) + 25 * wave(x * 0.19 + y * 0.11) + 12 * wave(y * 0.41)
    }

    /// Another picture, of which nothing may be shown.
    static func hidden(_ x: Int, _ y: Int) -> Double {
        let (x, y) = (Double(x) - 128, Double(y) - 72)
        return 128 + 100 * wave((x * x + y * y) * 0.0011) * (x > -40 ? 1 : 0.4)
    }

    /// A wave between -1 and 1 with a period of 2 π, of two parabolas.
    static func wave(_ angle: Double) -> Double {
        let turn = angle / (2 * Double.pi)
        let phase = (turn - turn.rounded(.down)) * 2 - 1
        return 4 * phase * (1 - abs(phase))
    }

    static func random(_ x: Int, _ y: Int) -> Double {
        var generator = SplitMix64(state: UInt64(x * 7919 + y * 104_729))
        return Double(generator.next() >> 56)
    }

    static func isInDisc(_ x: Int, _ y: Int, at center: Int, radius: Int = 20) -> Bool {
        (x - center) * (x - center) + (y - 70) * (y - 70) < radius * radius
    }

    /// A landscape behind a disc with its own texture.
    static func walker(at center: Int) -> (Int, Int) -> Double {
        { x, y in isInDisc(x, y, at: center) ? 60 + landscape(x * 2 - center * 2, y) / 3 : landscape(x, y) }
    }

    @Test(arguments: [2, 5, 11, 16]) func `A camera that turns shows the same before and after`(_ step: Int) throws {
        let frames = try (0..<3).map { index in try Self.sketch { x, y in Self.landscape(x + step * index, y) } }
        #expect(frames[1].isLike(frames[0], and: frames[2]))
    }

    @Test(arguments: [1, 4, 9])
    func `An object that moves before a still camera shows the same before and after`(_ step: Int) throws {
        let frames = try (0..<3).map { index in try Self.sketch(Self.walker(at: 100 + step * index)) }
        #expect(frames[1].isLike(frames[0], and: frames[2]))
    }

    @Test(
        "Another picture is not the same, even if it is small or faint", arguments: [(72, 1.0), (15, 1.0), (80, 0.2)])
    func anotherPicture(_ radius: Int, _ opacity: Double) throws {
        let harmless = try Self.sketch(Self.landscape)
        let frame = try Self.sketch { x, y in
            guard Self.isInDisc(x, y, at: 130, radius: radius) else { return Self.landscape(x, y) }
            return Self.landscape(x, y) * (1 - opacity) + Self.hidden(x, y) * opacity
        }
        #expect(!frame.isLike(harmless, and: harmless))
        #expect(harmless.isLike(harmless, and: nil))
    }

    /// The means by which harmless frames could hide a picture that comes between them.
    enum Hiding: String, CaseIterable {
        case noise, halftone, checkerboard, contrast, fineContrast, stripes, exchange, noisyMosaic

        /// A level of the frames before and after, or of the frame that shows the hidden picture.
        func level(_ x: Int, _ y: Int, isShown: Bool) -> Double {
            let hidden = FrameSketchTests.hidden(x, y), random = FrameSketchTests.random(x / 4, y / 4)
            let sign: Double = (x / 4 + y / 4) % 2 == 0 ? 1 : -1
            switch self {
            case .noise: return isShown ? (random + hidden) / 2 : random
            case .halftone: return random < (isShown ? hidden : 128) ? 235 : 16
            case .checkerboard: return 128 + sign * 60 + (isShown ? (hidden - 128) / 2 : 0)
            case .contrast: return 128 + sign * (isShown ? hidden / 3 : 45)
            case .fineContrast: return 128 + ((x + y) % 2 == 0 ? 1 : -1) * (isShown ? hidden / 3 : 45)
            case .stripes:
                let line: Double = x % 2 == 0 && y / 16 % 2 == 0 ? 16 : 0
                return isShown ? 128 + (hidden - 128) * 0.45 : (y / 4 % 2 == 0 ? 218 : 38) + line
            case .exchange:
                let across = x / 12 % 2 == 0 ? 12 : -12, down = y / 12 % 2 == 0 ? 12 : -12
                return isShown ? hidden : FrameSketchTests.hidden(x + across, y + down)
            case .noisyMosaic:
                let cell = FrameSketchTests.hidden(x / 12 * 12 + 6, y / 12 * 12 + 6)
                return (isShown ? hidden : cell) + random / 8
            }
        }
    }

    @Test(arguments: Hiding.allCases)
    func `Frames that are made to hide a picture do not make it look the same`(_ hiding: Hiding) throws {
        let harmless = try Self.sketch { x, y in hiding.level(x, y, isShown: false) }
        let frame = try Self.sketch { x, y in hiding.level(x, y, isShown: true) }
        #expect(!frame.isLike(harmless, and: harmless))
        #expect(!frame.isLike(harmless, and: nil))
        #expect(harmless.isLike(harmless, and: frame))
    }

    @Test(arguments: [true, false])
    func `A picture of lines of single pixels is not the same as even lines`(_ areRows: Bool) throws {
        func lines(_ change: Double) throws -> FrameSketch {
            try Self.sketch(width: 1024, height: 576) { x, y in
                let contrast = 45 + change * Self.wave(Double(x) * 0.008) * Self.wave(Double(y) * 0.008)
                return 128 + ((areRows ? y : x) % 2 == 0 ? contrast : -contrast)
            }
        }
        let even = try lines(0)
        #expect(try !lines(25).isLike(even, and: even))
        #expect(try lines(0).isLike(even, and: nil))
    }

    @Test func `Frames of different sizes are never the same`() throws {
        func even(_ width: Int, _ height: Int) throws -> FrameSketch {
            let storage = ArrayPixelStorage([UInt8](repeating: 255, count: width * height * 4))
            let plane = VideoPixels.Plane(storage: storage, bytesPerRow: width * 4)
            let pixels = try #require(VideoPixels(format: .rgba, width: width, height: height, planes: [plane]))
            return try #require(FrameSketch(pixels))
        }
        #expect(try even(64, 36).isLike(even(128, 72), and: nil))
        #expect(try !even(64, 36).isLike(even(64, 48), and: nil))
        #expect(try !even(64, 36).isLike(even(64, 36), and: even(64, 48)))
    }
}
