// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops
private import Synchronization

/// A small copy of a frame, by which the gate of a stream decides whether a frame shows what judged frames show.
///
/// Motion moves blocks of a picture, and an insertion brings blocks that no earlier picture has.
/// docs/streams-figures.md has the material on which the rule was fixed, and its figures.
package struct FrameSketch: Sendable {
    package let columns: Int
    package let rows: Int
    /// The smoothed levels of luma, of both colours, and of fine detail along rows and columns, one plane after the other.
    private let levels: [UInt8]
    private let ranges = Ranges()
    private let comparisons = Comparisons()

    /// The number of samples along the longer edge.
    package static let longEdge = 128
    private static let planeCount = 5

    /// Creates the sketch of a frame.
    ///
    /// - Returns: nil if memory ran out, or if the frame has pixels that are not opaque.
    package init?(_ pixels: VideoPixels) {
        let part = pixels.sampledCrop
        let least = Int(CPIXELLOOPS_SKETCH_BLOCK)
        let longest = max(part.width, part.height)
        columns = max(least, (Self.longEdge * part.width + longest / 2) / longest)
        rows = max(least, (Self.longEdge * part.height + longest / 2) / longest)
        // A sketch averages colours and opacity apart, which says little about what a display composes of them.
        guard !pixels.isTransparent, var levels = Self.levels(of: pixels, columns, rows) else { return nil }
        let (width, height, count) = (Int32(columns), Int32(rows), Int32(Self.planeCount))
        let isSmoothed = unsafe levels.withUnsafeMutableBufferPointer {
            unsafe CPixelLoops_smooth_sketch($0.baseAddress, width, height, count)
        }
        guard isSmoothed else { return nil }
        self.levels = levels
    }

    /// Whether the frame shows nothing that neither of two judged frames shows, in a place nearby.
    ///
    /// The result is remembered, so that a comparison that was made before it is needed costs nothing then.
    ///
    /// - Parameter later: a second judged frame; nil if there is none.
    package func isLike(_ earlier: FrameSketch, and later: FrameSketch?) -> Bool {
        let others = Comparisons.Others(earlier: earlier.comparisons.number, later: later?.comparisons.number)
        if let known = comparisons.result(for: others) { return known }
        let isLike = showsOnly(earlier, later)
        comparisons.remember(isLike, for: others)
        return isLike
    }

    private func showsOnly(_ earlier: FrameSketch, _ later: FrameSketch?) -> Bool {
        guard hasShape(of: earlier), later.map(hasShape) ?? true else { return false }
        // The frame itself is searched, and needs no ranges.
        return unsafe withDescription([]) { frame in
            unsafe earlier.withDescription(earlier.ranges.values(of: earlier)) { first in
                guard let later else { return unsafe CPixelLoops_is_like(&frame, &first, 1) }
                return unsafe later.withDescription(later.ranges.values(of: later)) { second in
                    unsafe CPixelLoops_is_like(&frame, [first, second], 2)
                }
            }
        }
    }

    private func hasShape(of other: FrameSketch) -> Bool { columns == other.columns && rows == other.rows }

    /// - Parameter ranges: no ranges, or those of this sketch; the body does not run if memory for them ran out.
    private func withDescription(_ ranges: [UInt8]?, _ body: (inout CPixelLoops_Sketch) -> Bool) -> Bool {
        guard let ranges else { return false }
        return unsafe levels.withUnsafeBufferPointer { levels in
            unsafe ranges.withUnsafeBufferPointer { ranges in
                func range(_ index: Int) -> UnsafePointer<UInt8>? {
                    ranges.isEmpty ? nil : unsafe ranges.baseAddress! + index * levels.count
                }
                var sketch = unsafe CPixelLoops_Sketch(
                    columns: Int32(columns), rows: Int32(rows), planes: Int32(Self.planeCount),
                    levels: levels.baseAddress, low: range(0), high: range(1), mean_low: range(2), mean_high: range(3),
                    activity_low: range(4), activity_high: range(5))
                return unsafe body(&sketch)
            }
        }
    }

    /// The ranges around each sample of a sketch, which are found when another frame is first searched in it.
    private final class Ranges: Sendable {
        private let found = Mutex<[UInt8]?>(nil)

        /// Returns the ranges of levels, of the means of blocks, and of their activities; nil if memory ran out.
        func values(of sketch: FrameSketch) -> [UInt8]? {
            found.withLock { found in
                if let found { return found }
                var ranges = [UInt8](repeating: 0, count: 6 * sketch.levels.count)
                let isFound = unsafe ranges.withUnsafeMutableBufferPointer {
                    unsafe CPixelLoops_find_sketch_ranges(
                        sketch.levels, Int32(sketch.columns), Int32(sketch.rows), Int32(planeCount), $0.baseAddress)
                }
                guard isFound else { return nil }
                found = ranges
                return ranges
            }
        }
    }

    /// The results of comparisons of a sketch with others.
    private final class Comparisons: Sendable {
        struct Others: Hashable {
            let earlier: UInt64
            let later: UInt64?
        }

        /// A number that no other sketch of the process has; the address of an object could be used again.
        let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        private let results = Mutex<[Others: Bool]>([:])

        private static let lastNumber = Atomic<UInt64>(0)
        /// The number of results that are kept; a frame is compared with fewer judged frames.
        private static let mostResults = 16

        func result(for others: Others) -> Bool? { results.withLock { $0[others] } }

        func remember(_ isLike: Bool, for others: Others) {
            results.withLock { results in
                if results.count >= Self.mostResults { results = [:] }
                results[others] = isLike
            }
        }
    }

    /// Returns the levels of luma, of both colours, and of fine detail along rows and columns.
    private static func levels(of pixels: VideoPixels, _ columns: Int, _ rows: Int) -> [UInt8]? {
        unsafe pixels.withPlanes { memory in
            let planes = unsafe pixels.sampledPlanes(in: memory)
            let size = columns * rows, isRGB = pixels.planes.count == 1
            var details = [UInt16](repeating: 0, count: 2 * size)
            var averages: [[UInt16]] = []
            for index in 0..<3 {
                var plane = unsafe planes[index]
                var average = [UInt16](repeating: 0, count: size)
                // Green has most of the luma.
                let hasDetails = index == (isRGB ? 1 : 0)
                let isAveraged = unsafe average.withUnsafeMutableBufferPointer { average in
                    unsafe details.withUnsafeMutableBufferPointer { details in
                        unsafe CPixelLoops_average_blocks(
                            &plane, Int32(columns), Int32(rows), average.baseAddress!,
                            hasDetails ? details.baseAddress : nil)
                    }
                }
                guard isAveraged else { return nil }
                averages.append(average)
            }
            var levels = averages.flatMap { $0.map { UInt8(($0 + 32) / 64) } }
            if isRGB { convertColors(of: &levels, size, isBGRA: pixels.format == .bgra) }
            // Texture that is finer than a sample shows in the differences of its pixels alone.
            return levels + details.map { UInt8(min(255, ($0 + 16) / 32)) }
        }
    }

    /// Turns planes of colours into luma and two differences of colours.
    private static func convertColors(of levels: inout [UInt8], _ size: Int, isBGRA: Bool) {
        for index in 0..<size {
            let (first, green, third) = (Int(levels[index]), Int(levels[size + index]), Int(levels[2 * size + index]))
            let (red, blue) = isBGRA ? (third, first) : (first, third)
            let luma = (77 * red + 150 * green + 29 * blue) / 256
            levels[index] = UInt8(luma)
            levels[size + index] = UInt8(min(255, max(0, (blue - luma) * 144 / 256 + 128)))
            levels[2 * size + index] = UInt8(min(255, max(0, (red - luma) * 183 / 256 + 128)))
        }
    }
}
