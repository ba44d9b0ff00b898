// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CPixelLoops

/// The conversion of pictures, video frames and pixels of an app into the tensor of a model.
package struct Preprocessor: Sendable {
    private let input: ModelInput

    package init(_ input: ModelInput) {
        self.input = input
    }

    /// The number of values in the tensor of one view.
    package var valueCount: Int { input.width * input.height * 3 }

    /// Returns the picture in the tensor's width and height, as 8-bit RGB, row after row.
    package func pixels(of view: PictureView) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(valueCount)
        forEachRow(of: view) { _, levels in
            for level in levels {
                pixels.append(UInt8(level.x))
                pixels.append(UInt8(level.y))
                pixels.append(UInt8(level.z))
            }
        }
        return pixels
    }

    /// Writes the tensor of a view: `valueCount` values in the layout and the channel order of the model.
    package func write(_ view: PictureView, into tensor: UnsafeMutableBufferPointer<Float>) {
        precondition(tensor.count == valueCount && input.mean.count >= 3 && input.scale.count >= 3)
        let planeLength = input.width * input.height
        // The distances in the tensor, in values, to the next pixel and to the next channel of a pixel.
        let (pixelStep, channelStep) = input.layout == .channelsLast ? (3, 1) : (1, planeLength)
        forEachRow(of: view) { row, levels in
            unsafe levels.withUnsafeBytes { levels in
                unsafe CPixelLoops_write_tensor(
                    levels.assumingMemoryBound(to: Float.self).baseAddress, input.width, input.channelOrder == .bgr,
                    input.mean, input.scale, pixelStep, channelStep,
                    tensor.baseAddress! + row * input.width * pixelStep)
            }
        }
    }

    // MARK: Resampling

    /// A pixel during the computation: three colours, and a fourth number without a meaning.
    private typealias Pixel = SIMD4<Float>

    /// Resizes and crops a view, and passes on its rows from top to bottom in whole levels from 0 to 255.
    ///
    /// The width is resized first, then the height. In between, values are rounded to whole levels, as in the original
    /// pipeline. A reduced picture is not rounded in between, because its levels are rounded averages already. A second
    /// rounding moves scores by more than the reduction does.
    private func forEachRow(of view: PictureView, _ body: (Int, [Pixel]) -> Void) {
        let view = view.reduced(toAtLeast: input.resize.minimumSize)
        let size = input.resize.size(ofPictureWithWidth: view.originalWidth, height: view.originalHeight)
        let columns = Axis(input.resize, view.width, resizedLength: size.width, tensorLength: input.width)
        let rows = Axis(input.resize, view.height, resizedLength: size.height, tensorLength: input.height)
        // The C loops check nothing, so all input pixels of each output pixel must exist and have weights.
        precondition(columns.weights.fits(view.width) && rows.weights.fits(view.height))
        // Only the rows that the next row of the result needs are kept. Pictures of an app may be large, and memory
        // that varies with their size would not return to the system.
        let capacity = rows.weights.windows.map(\.count).max() ?? 1
        let length = columns.range.count
        var narrowed = [Pixel](repeating: .zero, count: capacity * length)
        var original = [Pixel](repeating: .zero, count: view.width)
        var result = [Pixel](repeating: .zero, count: input.width)
        let black = result
        var nextRow = 0
        unsafe view.withRows { rowBytes in
            for row in 0..<rows.range.lowerBound { body(row, black) }
            for (index, window) in rows.weights.windows.enumerated() {
                nextRow = max(nextRow, window.start)
                while nextRow < window.start + window.count {
                    unsafe Self.withNumbers(of: &original) { original in
                        unsafe CPixelLoops_unpack(rowBytes(nextRow).baseAddress, view.width, original)
                        unsafe Self.withNumbers(of: &narrowed) { narrowed in
                            unsafe CPixelLoops_narrow(
                                original, columns.weights.windows, length, columns.weights.weights, !view.isReduced,
                                narrowed + nextRow % capacity * length * Pixel.scalarCount)
                        }
                    }
                    nextRow += 1
                }
                let starts = (0..<window.count).map { (window.start + $0) % capacity * length }
                unsafe rows.weights.weights.withUnsafeBufferPointer { weights in
                    unsafe Self.withNumbers(of: &narrowed) { narrowed in
                        unsafe Self.withNumbers(of: &result) { result in
                            unsafe CPixelLoops_sum(
                                narrowed, starts, weights.baseAddress! + window.firstWeight, window.count, length,
                                result + columns.range.lowerBound * Pixel.scalarCount)
                        }
                    }
                }
                body(rows.range.lowerBound + index, result)
            }
            for row in rows.range.upperBound..<input.height { body(row, black) }
        }
    }

    /// The resizing along the width or the height of the tensor.
    private struct Axis {
        /// The columns or rows of the tensor that the picture covers, at least one; the others are black.
        let range: Range<Int>
        /// The weights that resize the picture to the covered columns or rows.
        let weights: ResamplingWeights

        init(_ resize: ModelInput.Resize, _ inputLength: Int, resizedLength: Int, tensorLength: Int) {
            let start = resize.start(ofTensorLength: tensorLength, in: resizedLength)
            let covered = max(0, start)..<min(resizedLength, start + tensorLength)
            range = (covered.lowerBound - start)..<(covered.upperBound - start)
            weights = ResamplingWeights(
                inputLength: inputLength, outputLength: resizedLength, range: covered, filter: resize.filter)
        }
    }

    /// Calls the closure with a pointer to the values of the pixels, four values a pixel.
    private static func withNumbers(of pixels: inout [Pixel], _ body: (UnsafeMutablePointer<Float>) -> Void) {
        unsafe pixels.withUnsafeMutableBytes { bytes in
            guard let numbers = unsafe bytes.assumingMemoryBound(to: Float.self).baseAddress else { return }
            unsafe body(numbers)
        }
    }
}
