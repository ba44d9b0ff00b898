// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CPixelLoops

/// Makes the tensor that a model sees: the one resampler for pictures, video frames and pixels of an app.
package struct Preprocessor: Sendable {
    private let input: ModelInput

    package init(_ input: ModelInput) {
        self.input = input
    }

    /// The number of values in the tensor of one view.
    package var valueCount: Int { input.width * input.height * 3 }

    /// The picture as the model sees it: 8-bit RGB of the tensor's width and height, row after row.
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
        // Where the next pixel and where the next channel of a pixel is.
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

    /// A pixel while it is computed: its three colours at once; the fourth number has no meaning.
    private typealias Pixel = SIMD4<Float>

    /// Resizes and crops a view, whose rows are given from top to bottom in whole levels from 0 to 255.
    ///
    /// First rows are resized and then columns. The values between the two are rounded to whole levels as in the
    /// model's original pipeline, unless a decoder has reduced the picture: its levels are rounded averages already,
    /// and rounding them again moves scores by more than the reduction does.
    private func forEachRow(of view: PictureView, _ body: (Int, [Pixel]) -> Void) {
        let left = (input.resize.width - input.width) / 2
        let top = (input.resize.height - input.height) / 2
        let columns = ResamplingWeights(
            inputLength: view.width, outputLength: input.resize.width, range: left..<(left + input.width),
            filter: input.resize.filter)
        let rows = ResamplingWeights(
            inputLength: view.height, outputLength: input.resize.height, range: top..<(top + input.height),
            filter: input.resize.filter)
        // The loops in C check nothing: every window lies within its axis, and every weight is there.
        precondition(columns.fits(view.width) && rows.fits(view.height))
        // Of the narrowed rows only those are kept that the next row of the result needs: pictures of an app may be
        // large, and memory that varies with their size would not come back.
        let capacity = rows.windows.map(\.count).max() ?? 1
        var narrowed = [Pixel](repeating: .zero, count: capacity * input.width)
        var original = [Pixel](repeating: .zero, count: view.width)
        var result = [Pixel](repeating: .zero, count: input.width)
        var nextRow = 0
        unsafe view.withRows { rowBytes in
            for (index, window) in rows.windows.enumerated() {
                nextRow = max(nextRow, window.start)
                while nextRow < window.start + window.count {
                    unsafe Self.withNumbers(of: &original) { original in
                        unsafe CPixelLoops_unpack(rowBytes(nextRow).baseAddress, view.width, original)
                        unsafe Self.withNumbers(of: &narrowed) { narrowed in
                            unsafe CPixelLoops_narrow(
                                original, columns.windows, columns.windows.count, columns.weights, !view.isReduced,
                                narrowed + nextRow % capacity * input.width * Pixel.scalarCount)
                        }
                    }
                    nextRow += 1
                }
                let starts = (0..<window.count).map { (window.start + $0) % capacity * input.width }
                unsafe rows.weights.withUnsafeBufferPointer { weights in
                    unsafe Self.withNumbers(of: &narrowed) { narrowed in
                        unsafe Self.withNumbers(of: &result) { result in
                            unsafe CPixelLoops_sum(
                                narrowed, starts, weights.baseAddress! + window.firstWeight, window.count, input.width,
                                result)
                        }
                    }
                }
                body(index, result)
            }
        }
    }

    /// Calls the closure with the numbers of pixels, four for each.
    private static func withNumbers(of pixels: inout [Pixel], _ body: (UnsafeMutablePointer<Float>) -> Void) {
        unsafe pixels.withUnsafeMutableBytes { bytes in
            guard let numbers = unsafe bytes.assumingMemoryBound(to: Float.self).baseAddress else { return }
            unsafe body(numbers)
        }
    }
}
