// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops

/// A small copy of a frame, by which the gate of a stream decides whether a frame shows what judged frames show.
///
/// Motion moves blocks of a picture, and an insertion brings blocks that no earlier picture has. docs/streams.md has
/// the material on which the rule was fixed, and its figures.
package struct FrameSketch: Sendable, Equatable {
    package let columns: Int
    package let rows: Int
    /// The levels of luma, of both colours and perhaps of opacity, one plane after the other.
    private let levels: [UInt8]
    /// The ranges of levels around each sample.
    private let low: [UInt8]
    private let high: [UInt8]

    /// The number of samples along the longer edge.
    package static let longEdge = 128

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
        guard !pixels.isTransparent, let planes = Self.averages(of: pixels, columns, rows) else { return nil }
        levels = pixels.planes.count == 1 ? Self.lumaAndColors(planes, isBGRA: pixels.format == .bgra) : planes
        guard let ranges = Self.ranges(of: levels, columns, rows) else { return nil }
        (low, high) = ranges
    }

    private static func ranges(of levels: [UInt8], _ columns: Int, _ rows: Int) -> (low: [UInt8], high: [UInt8])? {
        var (low, high) = (levels, levels)
        for start in stride(from: 0, to: levels.count, by: columns * rows) {
            let isFound = unsafe levels.withUnsafeBufferPointer { levels in
                unsafe low.withUnsafeMutableBufferPointer { low in
                    unsafe high.withUnsafeMutableBufferPointer { high in
                        unsafe CPixelLoops_find_ranges(
                            levels.baseAddress! + start, Int32(columns), Int32(rows), low.baseAddress! + start,
                            high.baseAddress! + start)
                    }
                }
            }
            guard isFound else { return nil }
        }
        return (low, high)
    }

    /// Whether the frame shows nothing that neither of two judged frames shows, in a place nearby.
    ///
    /// - Parameter later: a second judged frame; nil if there is none.
    package func isLike(_ earlier: FrameSketch, and later: FrameSketch?) -> Bool {
        guard hasShape(of: earlier), later.map(hasShape) ?? true else { return false }
        let likeness = unsafe withDescription { frame in
            unsafe earlier.withDescription { first in
                guard let later else { return unsafe Self.compare(frame, [first]) }
                return unsafe later.withDescription { second in unsafe Self.compare(frame, [first, second]) }
            }
        }
        return likeness.largest < Self.largestDeviation && likeness.largest_square < Self.squareDeviation
            && likeness.mean < Self.meanDeviation
    }

    private func hasShape(of other: FrameSketch) -> Bool {
        columns == other.columns && rows == other.rows && levels.count == other.levels.count
    }

    private static func compare(_ frame: CPixelLoops_Sketch, _ others: [CPixelLoops_Sketch]) -> CPixelLoops_Likeness {
        unsafe withUnsafePointer(to: frame) {
            unsafe CPixelLoops_compare_sketches(
                $0, others, others.count,
                CPixelLoops_Likeness(
                    largest: largestDeviation, largest_square: squareDeviation, mean: meanDeviation))
        }
    }

    private func withDescription<Result>(_ body: (CPixelLoops_Sketch) -> Result) -> Result {
        unsafe levels.withUnsafeBufferPointer { levels in
            unsafe low.withUnsafeBufferPointer { low in
                unsafe high.withUnsafeBufferPointer { high in
                    unsafe body(
                        CPixelLoops_Sketch(
                            columns: Int32(columns), rows: Int32(rows), planes: Int32(levels.count / (columns * rows)),
                            levels: levels.baseAddress, low: low.baseAddress, high: high.baseAddress))
                }
            }
        }
    }

    /// Returns the averages of all planes, in levels.
    private static func averages(of pixels: VideoPixels, _ columns: Int, _ rows: Int) -> [UInt8]? {
        unsafe pixels.withPlanes { memory in
            let planes = unsafe pixels.sampledPlanes(in: memory)
            let (size, count) = (columns * rows, unsafe planes.count)
            var averages = [UInt16](repeating: 0, count: count * size)
            for index in 0..<count {
                var plane = unsafe planes[index]
                let isAveraged = unsafe averages.withUnsafeMutableBufferPointer { averages in
                    unsafe CPixelLoops_average_blocks(
                        &plane, Int32(columns), Int32(rows), averages.baseAddress! + index * size, nil)
                }
                guard isAveraged else { return nil }
            }
            return averages.map { UInt8(($0 + 32) / 64) }
        }
    }

    /// Turns planes of colours into luma, two differences of colours, and opacity.
    private static func lumaAndColors(_ planes: [UInt8], isBGRA: Bool) -> [UInt8] {
        let size = planes.count / 4
        var converted = planes
        for index in 0..<size {
            let (first, green, third) = (Int(planes[index]), Int(planes[size + index]), Int(planes[2 * size + index]))
            let (red, blue) = isBGRA ? (third, first) : (first, third)
            let luma = (77 * red + 150 * green + 29 * blue) / 256
            converted[index] = UInt8(luma)
            converted[size + index] = UInt8(min(255, max(0, (blue - luma) * 144 / 256 + 128)))
            converted[2 * size + index] = UInt8(min(255, max(0, (red - luma) * 183 / 256 + 128)))
        }
        return converted
    }

    /// The mean deviation of a block from which on it shows something else, in levels.
    private static let largestDeviation = 3.0
    /// The mean deviation of four neighbouring blocks from which on they show something else, in levels.
    private static let squareDeviation = 1.2
    /// The mean deviation of all blocks from which on the frame shows something else, in levels.
    private static let meanDeviation = 0.15
}
