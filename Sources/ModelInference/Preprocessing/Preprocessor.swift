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
    /// First rows are resized and then columns. The values between the two are rounded to whole levels as in the
    /// model's original pipeline, unless a decoder has reduced the picture: its levels are rounded averages already,
    /// and rounding them again moves scores by more than the reduction does.
    package func pixels(of image: PixelImage) -> [UInt8] {
        let left = (input.resize.width - input.width) / 2
        let top = (input.resize.height - input.height) / 2
        let columns = ResamplingWeights(
            inputLength: image.width, outputLength: input.resize.width, range: left..<(left + input.width),
            filter: input.resize.filter)
        let rows = ResamplingWeights(
            inputLength: image.height, outputLength: input.resize.height, range: top..<(top + input.height),
            filter: input.resize.filter)
        // Of the narrowed rows only those are kept that the next row of the result needs: pictures of an app may be
        // large, and memory that varies with their size would not come back.
        let capacity = rows.weights.map(\.count).max() ?? 1
        let rowLength = input.width * 3
        var narrowed = [Float](repeating: 0, count: capacity * rowLength)
        var sums = [Float](repeating: 0, count: rowLength)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(valueCount)
        var nextRow = 0
        unsafe image.storage.withBytes { source in
            unsafe narrowed.withUnsafeMutableBufferPointer { narrowed in
                for (start, weights) in zip(rows.starts, rows.weights) {
                    nextRow = max(nextRow, start)
                    while nextRow < start + weights.count {
                        let position = image.offset + nextRow * image.bytesPerRow
                        unsafe Self.resampleRow(
                            UnsafeRawBufferPointer(rebasing: source[position..<(position + image.width * 3)]), columns,
                            rounding: !image.isReduced,
                            into: UnsafeMutableBufferPointer(
                                rebasing: narrowed[(nextRow % capacity * rowLength)...].prefix(rowLength)))
                        nextRow += 1
                    }
                    unsafe sums.withUnsafeMutableBufferPointer { sums in
                        unsafe sums.update(repeating: 0)
                        for (step, weight) in weights.enumerated() {
                            let row = (start + step) % capacity * rowLength
                            for position in 0..<rowLength {
                                unsafe sums[position] += weight * narrowed[row + position]
                            }
                        }
                    }
                    pixels.append(contentsOf: sums.lazy.map { UInt8(Self.level($0)) })
                }
            }
        }
        return pixels
    }

    private static func resampleRow(
        _ source: UnsafeRawBufferPointer, _ columns: ResamplingWeights, rounding: Bool,
        into target: UnsafeMutableBufferPointer<Float>
    ) {
        for column in columns.weights.indices {
            var (red, green, blue): (Float, Float, Float) = (0, 0, 0)
            var position = columns.starts[column] * 3
            for weight in columns.weights[column] {
                unsafe red += weight * Float(source[position])
                unsafe green += weight * Float(source[position + 1])
                unsafe blue += weight * Float(source[position + 2])
                position += 3
            }
            unsafe target[column * 3] = rounding ? level(red) : red
            unsafe target[column * 3 + 1] = rounding ? level(green) : green
            unsafe target[column * 3 + 2] = rounding ? level(blue) : blue
        }
    }

    /// The nearest of the levels 0 to 255, the higher of two that are as near.
    private static func level(_ value: Float) -> Float {
        max(0, min(255, (value + 0.5).rounded(.down)))
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
