// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Makes the tensor that a model sees: the one resampler for pictures, video frames and pixels of an app.
package struct Preprocessor: Sendable {
    private let input: ModelManifest.Input

    package init(_ input: ModelManifest.Input) {
        self.input = input
    }

    /// The number of values in the tensor of one view.
    package var valueCount: Int { input.width * input.height * 3 }

    /// Resizes and crops a view: 8-bit RGB of the tensor's width and height, row after row.
    ///
    /// The values are rounded to whole levels, as they are in the model's original pipeline.
    package func pixels(of image: PixelImage) -> [UInt8] {
        let left = (input.resize.width - input.width) / 2
        let top = (input.resize.height - input.height) / 2
        let columns = ResamplingWeights(
            inputLength: image.width, outputLength: input.resize.width, range: left..<(left + input.width),
            filter: input.resize.filter)
        let rows = ResamplingWeights(
            inputLength: image.height, outputLength: input.resize.height, range: top..<(top + input.height),
            filter: input.resize.filter)
        var pixels = [UInt8](repeating: 0, count: valueCount)
        let sourceRow = image.width * 3
        var sums = [Float](repeating: 0, count: sourceRow)
        unsafe image.storage.withBytes { source in
            unsafe pixels.withUnsafeMutableBufferPointer { pixels in
                unsafe sums.withUnsafeMutableBufferPointer { sums in
                    for row in 0..<input.height {
                        unsafe sums.update(repeating: 0)
                        for (step, weight) in rows.weights[row].enumerated() {
                            let start = image.offset + (rows.starts[row] + step) * image.bytesPerRow
                            for position in 0..<sourceRow {
                                unsafe sums[position] += weight * Float(source[start + position])
                            }
                        }
                        unsafe Self.resample(
                            UnsafeBufferPointer(sums), columns,
                            into: UnsafeMutableBufferPointer(
                                rebasing: pixels[(row * input.width * 3)..<((row + 1) * input.width * 3)]))
                    }
                }
            }
        }
        return pixels
    }

    private static func resample(
        _ source: UnsafeBufferPointer<Float>, _ columns: ResamplingWeights, into target: UnsafeMutableBufferPointer<UInt8>
    ) {
        for (column, weights) in columns.weights.enumerated() {
            var (red, green, blue): (Float, Float, Float) = (0, 0, 0)
            var position = columns.starts[column] * 3
            for weight in weights {
                unsafe red += weight * source[position]
                unsafe green += weight * source[position + 1]
                unsafe blue += weight * source[position + 2]
                position += 3
            }
            unsafe target[column * 3] = level(red)
            unsafe target[column * 3 + 1] = level(green)
            unsafe target[column * 3 + 2] = level(blue)
        }
    }

    private static func level(_ value: Float) -> UInt8 {
        UInt8(max(0, min(255, value.rounded())))
    }

    /// Writes the tensor of a view: `valueCount` values in the layout and the channel order of the model.
    package func write(_ image: PixelImage, into tensor: UnsafeMutableBufferPointer<Float>) {
        precondition(tensor.count == valueCount)
        let pixels = pixels(of: image)
        let count = input.width * input.height
        for channel in 0..<3 {
            let band = input.channelOrder == .rgb ? channel : 2 - channel
            let (mean, scale) = (input.mean[channel], input.scale[channel])
            switch input.layout {
            case .channelsLast:
                for pixel in 0..<count {
                    unsafe tensor[pixel * 3 + channel] = (Float(pixels[pixel * 3 + band]) - mean) * scale
                }
            case .channelsFirst:
                for pixel in 0..<count {
                    unsafe tensor[channel * count + pixel] = (Float(pixels[pixel * 3 + band]) - mean) * scale
                }
            }
        }
    }
}
