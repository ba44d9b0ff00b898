// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import ModelInference
import Testing

@Suite("The tensor that the model sees")
struct PreprocessorTests {
    static func image(width: Int, height: Int, _ pixel: (Int, Int) -> [UInt8]) throws -> PixelImage {
        let bytes = (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } }
        return try PixelImage(
            width: width, height: height, bytesPerRow: width * 3, storage: ArrayPixelStorage(bytes))
    }

    /// The input of the default model.
    static let input = ModelInput(
        name: "input", width: 224, height: 224, layout: .channelsLast, channelOrder: .bgr, mean: [104, 117, 123],
        scale: [1, 1, 1], resize: ModelInput.Resize(width: 256, height: 256, filter: .bilinear))

    @Test(
        "The tensor of a plain picture is plain, whatever its size",
        arguments: [(1, 1), (300, 200), (1000, 3), (7, 900)])
    func plain(width: Int, height: Int) throws {
        let image = try Self.image(width: width, height: height) { _, _ in [10, 100, 250] }
        let pixels = Preprocessor(Self.input).pixels(of: PictureView(image))
        #expect(pixels.count == 224 * 224 * 3)
        #expect(stride(from: 0, to: pixels.count, by: 3).allSatisfy { Array(pixels[$0..<($0 + 3)]) == [10, 100, 250] })
    }

    @Test("The tensor of a picture of the resized size is its middle, unchanged")
    func crop() throws {
        let image = try Self.image(width: 256, height: 256) { x, y in [UInt8(x), UInt8(y), UInt8((x + y) / 2)] }
        let pixels = Preprocessor(Self.input).pixels(of: PictureView(image))
        #expect(Array(pixels.prefix(3)) == [16, 16, 16])
        #expect(Array(pixels.suffix(3)) == [239, 239, 239])
    }

    @Test("The tensor has the model's order of channels, mean and layout")
    func normalization() throws {
        let image = try Self.image(width: 8, height: 8) { _, _ in [10, 100, 250] }
        var input = Self.input
        func tensor() -> [Float] {
            var values = [Float](repeating: 0, count: 224 * 224 * 3)
            unsafe values.withUnsafeMutableBufferPointer {
                unsafe Preprocessor(input).write(PictureView(image), into: $0)
            }
            return values
        }
        let expected: [Float] = [146, -17, -113, 146]  // blue - 104, green - 117, red - 123
        #expect(Array(tensor().prefix(4)) == expected)
        input.layout = .channelsFirst
        input.scale = [2, 1, 1]
        #expect(tensor()[0] == 292 && tensor()[1] == 292)
        #expect(tensor()[224 * 224] == -17)
        input.channelOrder = .rgb
        #expect(tensor()[0] == -188)
    }

    /// Returns the levels of the tensor's pixels for a picture, whose width or height a decoder may have reduced.
    static func levels(
        _ mode: ModelInput.Resize.Mode, width: Int, height: Int, reducedFrom original: (width: Int, height: Int)? = nil,
        _ level: (Int, Int) -> UInt8
    ) throws -> [[UInt8]] {
        var input = Self.input
        input.resize.mode = mode
        let bytes = (0..<height).flatMap { y in (0..<width).flatMap { x in [UInt8](repeating: level(x, y), count: 3) } }
        let image = try PixelImage(
            width: width, height: height, bytesPerRow: width * 3, storage: ArrayPixelStorage(bytes),
            originalSize: original)
        let pixels = Preprocessor(input).pixels(of: PictureView(image))
        return (0..<224).map { y in (0..<224).map { x in pixels[(y * 224 + x) * 3] } }
    }

    @Test(arguments: [(512, 770, 2, 3), (255, 525, 1, 2), (260, 250, 1, 1)])
    func `A large picture of an app has the tensor of its averages over whole pixels`(
        width: Int, height: Int, columns: Int, rows: Int
    ) throws {
        func level(_ x: Int, _ y: Int) -> Int { (x * 7 + y * 13 + x * y % 11) % 256 }
        let pixels = (0..<height).flatMap { y in
            (0..<width).flatMap { x in [UInt8](repeating: UInt8(level(x, y)), count: 3) }
        }
        var averages: [UInt8] = []
        for top in stride(from: 0, to: height, by: rows) {
            for left in stride(from: 0, to: width, by: columns) {
                var (sum, count) = (0, 0)
                for y in top..<min(height, top + rows) {
                    for x in left..<min(width, left + columns) { (sum, count) = (sum + level(x, y), count + 1) }
                }
                averages += [UInt8](repeating: UInt8((2 * sum + count) / (2 * count)), count: 3)
            }
        }
        let (reducedWidth, reducedHeight) = ((width + columns - 1) / columns, (height + rows - 1) / rows)
        let reduced = try PixelImage(
            width: reducedWidth, height: reducedHeight, bytesPerRow: reducedWidth * 3,
            storage: ArrayPixelStorage(averages), originalSize: (width, height))
        let layout = try #require(PixelLayout(width: width, height: height, bytesPerRow: width * 3, format: .rgb24))
        let view = try #require(PictureView.views(of: layout, in: ArrayPixelStorage(pixels)))[0]
        var input = Self.input
        (input.width, input.height) = (56, 56)
        (input.resize.width, input.resize.height) = (64, 64)
        let preprocessor = Preprocessor(input)
        #expect(preprocessor.pixels(of: view) == preprocessor.pixels(of: PictureView(reduced)))
    }

    @Test("In the mode centerCrop the tensor lacks the ends of the longer side, also after a reduction of that side")
    func centerCrop() throws {
        // The outer eighths of the width are white; the square crop in the middle begins at a quarter of the width.
        let whole = try Self.levels(.centerCrop, width: 512, height: 256) { x, _ in (64..<448).contains(x) ? 0 : 255 }
        let reduced = try Self.levels(.centerCrop, width: 256, height: 256, reducedFrom: (512, 256)) { x, _ in
            (32..<224).contains(x) ? 0 : 255
        }
        let stretched = try Self.levels(.stretch, width: 512, height: 256) { x, _ in (64..<448).contains(x) ? 0 : 255 }
        #expect(whole.joined().allSatisfy { $0 == 0 })
        #expect(reduced.joined().allSatisfy { $0 == 0 })
        #expect(stretched.allSatisfy { $0[0] == 255 && $0[112] == 0 && $0[223] == 255 })
    }

    @Test("In the mode fit the tensor has the whole picture in its proportions, with black beside it")
    func fit() throws {
        // The picture becomes 256 × 128 in the middle of 256 × 256, and the tensor has the middle 224 × 224 of that.
        let wide = try Self.levels(.fit, width: 512, height: 256) { _, _ in 200 }
        #expect(
            wide.enumerated().allSatisfy { row, levels in
                levels.allSatisfy { $0 == ((48..<176).contains(row) ? 200 : 0) }
            })
        let high = try Self.levels(.fit, width: 100, height: 300, reducedFrom: (100, 600)) { _, _ in 200 }
        // The picture is 43 of 256 columns wide.
        #expect(high.allSatisfy { $0.map { $0 == 200 } == (0..<224).map { (90..<133).contains($0) } })
        let dot = try Self.levels(.fit, width: 1, height: 1000) { _, _ in 200 }
        #expect(dot.allSatisfy { $0.filter { $0 == 200 }.count == 1 })
    }
}
