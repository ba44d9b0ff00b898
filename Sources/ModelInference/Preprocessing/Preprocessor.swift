// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

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
        precondition(tensor.count == valueCount)
        let planeLength = input.width * input.height
        // Where the next pixel and where the next channel of a pixel is.
        let (pixelStep, channelStep) = input.layout == .channelsLast ? (3, 1) : (1, planeLength)
        let mean = SIMD4(SIMD3(input.mean[0], input.mean[1], input.mean[2]), 0)
        let scale = SIMD4(SIMD3(input.scale[0], input.scale[1], input.scale[2]), 0)
        forEachRow(of: view) { row, levels in
            var position = row * input.width * pixelStep
            for level in levels {
                let ordered = input.channelOrder == .rgb ? level : SIMD4(level.z, level.y, level.x, 0)
                let value = (ordered - mean) * scale
                unsafe tensor[position] = value.x
                unsafe tensor[position + channelStep] = value.y
                unsafe tensor[position + 2 * channelStep] = value.z
                position += pixelStep
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
                    unsafe Self.unpack(rowBytes(nextRow), into: original.mutableSpan)
                    let row = nextRow % capacity * input.width
                    var target = narrowed.mutableSpan
                    Self.narrow(original.span, columns, rounding: !view.isReduced, into: &target, at: row)
                    nextRow += 1
                }
                let weights = rows.weights.span.extracting(window.firstWeight..<(window.firstWeight + window.count))
                let starts = (0..<window.count).map { (window.start + $0) % capacity * input.width }
                Self.sum(narrowed.span, from: starts.span, weights, into: result.mutableSpan)
                body(index, result)
            }
        }
    }

    private static func unpack(_ source: UnsafeRawBufferPointer, into row: consuming MutableSpan<Pixel>) {
        for index in row.indices {
            row[index] = unsafe Pixel(
                Float(source[index * 3]), Float(source[index * 3 + 1]), Float(source[index * 3 + 2]), 0)
        }
    }

    private static func narrow(
        _ row: Span<Pixel>, _ columns: ResamplingWeights, rounding: Bool, into target: inout MutableSpan<Pixel>,
        at position: Int
    ) {
        let (windows, weights) = (columns.windows.span, columns.weights.span)
        for column in windows.indices {
            let window = windows[column]
            var sum = Pixel.zero
            for step in 0..<window.count { sum += weights[window.firstWeight + step] * row[window.start + step] }
            target[position + column] = rounding ? level(sum) : sum
        }
    }

    /// The levels of a row of the result, from the narrowed rows that begin at the given positions.
    private static func sum(
        _ narrowed: Span<Pixel>, from starts: Span<Int>, _ weights: Span<Float>,
        into target: consuming MutableSpan<Pixel>
    ) {
        for column in target.indices {
            var sum = Pixel.zero
            for step in starts.indices { sum += weights[step] * narrowed[starts[step] + column] }
            target[column] = level(sum)
        }
    }

    /// The nearest of the levels 0 to 255, the higher of two that are as near.
    private static func level(_ value: Pixel) -> Pixel {
        let raised = value + 0.5
        // From 2²³ on, a Float has no digits behind the point: adding it rounds, in a quarter of the time of
        // rounded(.down). What was rounded up is one too high.
        let unit = Pixel(repeating: 8_388_608)
        var level = (raised + unit) - unit
        level.replace(with: level - 1, where: level .> raised)
        level.replace(with: Pixel.zero, where: level .< Pixel.zero)
        level.replace(with: 255, where: level .> 255)
        return level
    }
}
