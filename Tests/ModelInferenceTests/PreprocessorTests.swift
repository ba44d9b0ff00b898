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

    /// That of the default model.
    static let input = ModelInput(
        name: "input", width: 224, height: 224, layout: .channelsLast, channelOrder: .bgr, mean: [104, 117, 123],
        scale: [1, 1, 1], resize: ModelInput.Resize(width: 256, height: 256, filter: .bilinear))

    @Test("of a plain picture is plain, whatever its size", arguments: [(1, 1), (300, 200), (1000, 3), (7, 900)])
    func plain(width: Int, height: Int) throws {
        let image = try Self.image(width: width, height: height) { _, _ in [10, 100, 250] }
        let pixels = Preprocessor(Self.input).pixels(of: PictureView(image))
        #expect(pixels.count == 224 * 224 * 3)
        #expect(stride(from: 0, to: pixels.count, by: 3).allSatisfy { Array(pixels[$0..<($0 + 3)]) == [10, 100, 250] })
    }

    @Test("of a picture of the resized size is its middle, unchanged")
    func crop() throws {
        let image = try Self.image(width: 256, height: 256) { x, y in [UInt8(x), UInt8(y), UInt8((x + y) / 2)] }
        let pixels = Preprocessor(Self.input).pixels(of: PictureView(image))
        #expect(Array(pixels.prefix(3)) == [16, 16, 16])
        #expect(Array(pixels.suffix(3)) == [239, 239, 239])
    }

    @Test("has the channels in the model's order, less the mean, in the model's layout")
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
}
