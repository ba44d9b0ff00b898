// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CPixelLoops

/// Finds rectangles with straight edges in a picture, such as the photograph in a screenshot.
struct RectangleFinder {
    private let width: Int
    private let height: Int
    private let columns: EdgeMarks
    private let rows: EdgeMarks
    private let blocks: DetailBlocks

    /// - Parameter view: the picture, which is reduced by ``scale(of:)``.
    init(in view: PictureView) {
        let scale = Self.scale(of: view)
        width = max(8, Int((Double(view.originalWidth) * scale).rounded()))
        height = max(8, Int((Double(view.originalHeight) * scale).rounded()))
        let pixels = Preprocessor(ModelInput.picture(width: width, height: height)).pixels(of: view)
        let (width, height, rowLength) = (width, height, width * PixelImage.bytesPerPixel)
        var across = [UInt8](repeating: 0, count: (width - 1) * height)
        var down = [UInt8](repeating: 0, count: (height - 1) * width)
        unsafe pixels.withUnsafeBufferPointer { pixels in
            guard let start = unsafe pixels.baseAddress else { return }
            unsafe across.withUnsafeMutableBufferPointer { across in
                guard let target = unsafe across.baseAddress else { return }
                for row in 0..<height {
                    let first = unsafe start + row * rowLength
                    unsafe CPixelLoops_differences(first, first + 3, width - 1, target + row, height)
                }
            }
            unsafe down.withUnsafeMutableBufferPointer { down in
                guard let target = unsafe down.baseAddress else { return }
                for row in 0..<(height - 1) {
                    let first = unsafe start + row * rowLength
                    unsafe CPixelLoops_differences(first, first + rowLength, width, target + row * width, 1)
                }
            }
        }
        columns = EdgeMarks(across, lineCount: width - 1, length: height)
        rows = EdgeMarks(down, lineCount: height - 1, length: width)
        blocks = DetailBlocks(pixels, width: width, height: height)
    }

    /// Returns the size of the reduced picture as a share of the picture's.
    ///
    /// The longer side has 448 pixels, and more of a long picture, whose shorter side would have too few.
    static func scale(of view: PictureView) -> Double {
        let (longer, shorter) = (
            Double(max(view.originalWidth, view.originalHeight)), Double(min(view.originalWidth, view.originalHeight))
        )
        return min(1, max(longerSide / longer, min(shorterSideOfLong / shorter, longestSide / longer)))
    }

    /// An edge, or a side of the picture itself.
    private struct Side {
        let line: Int
        let start: Int
        let end: Int
        let isEdge: Bool
    }

    private struct Candidate {
        let rectangle: UnitRectangle
        /// Whether the left, top, right and bottom are edges, and not sides of the picture itself.
        let areEdges: [Bool]
        /// The sum of the mean and the least share of marks on the four sides, and of a share for the size.
        let quality: Float

        /// Whether a clearer rectangle is nearly the same, or is this one without its surroundings.
        func adds(nothingTo other: Candidate) -> Bool {
            let (own, others) = (rectangle, other.rectangle)
            if own.overlap(with: others) > 0.7 { return true }
            // The other one ends where this one does, or at an edge where this one goes on to the side of the picture.
            let distances = [
                others.left - own.left, others.top - own.top, own.right - others.right, own.bottom - others.bottom,
            ]
            return zip(distances, areEdges).allSatisfy { $1 ? abs($0) < 0.015 : $0 > -0.015 }
        }
    }

    /// Returns rectangles of edges, the clearest first, by turns with blocks of details, the largest first.
    ///
    /// There are no near doubles among the rectangles of edges.
    func rectangles() -> [UnitRectangle] {
        let shortest = max(12, min(width, height) / 10)
        let leastSpan = max(Self.shortestSide, min(width, height) / 10)
        let upright = Self.sides(columns.edges(atLeast: shortest), lines: width, length: height)
        let level = Self.sides(rows.edges(atLeast: shortest), lines: height, length: width)
        var candidates: [Candidate] = []
        for (index, left) in upright.enumerated() {
            for right in upright[(index + 1)...] {
                let span = right.line - left.line
                guard span >= leastSpan else { continue }
                let (top, bottom) = (max(left.start, right.start), min(left.end, right.end))
                guard bottom - top >= Self.shortestSide, candidates.count < Self.mostCandidates else { continue }
                let fitting = level.filter { side in
                    10 * (min(side.end, right.line) - max(side.start, left.line)) >= 8 * span
                        && (top - Self.slack...bottom + Self.slack).contains(side.line)
                }
                for (index, top) in fitting.enumerated() {
                    for bottom in fitting[(index + 1)...] {
                        if let candidate = candidate(left, top, right, bottom) { candidates.append(candidate) }
                    }
                }
            }
        }
        candidates.sort { $0.quality > $1.quality }
        var kept: [Candidate] = []
        for candidate in candidates where kept.count < Self.mostRectangles {
            if !kept.contains(where: { candidate.adds(nothingTo: $0) }) { kept.append(candidate) }
        }
        let clear = kept.map(\.rectangle)
        // A rectangle of edges is more exact than a block of details.
        let others = blocks.rectangles(atLeast: leastSpan).filter { block in
            isFramed(block) && !clear.contains { $0.overlap(with: block) > Self.sameOverlap }
        }
        // By turns, so that a picture full of blocks does not hide a clear rectangle.
        let pairs = zip(clear, others).flatMap { [$0, $1] }
        let count = pairs.count / 2
        return pairs + clear.dropFirst(count) + others.dropFirst(count).prefix(Self.mostBlocks)
    }

    /// Whether the sides of a block lie along edges, as they do around a picture, and not around a thing in a photograph.
    private func isFramed(_ block: UnitRectangle) -> Bool {
        let (left, right) = (Self.line(block.left, of: width), Self.line(block.right, of: width))
        let (top, bottom) = (Self.line(block.top, of: height), Self.line(block.bottom, of: height))
        let shares =
            [left, right].compactMap { Self.share(columns, near: $0, of: width, from: top, to: bottom) }
            + [top, bottom].compactMap { Self.share(rows, near: $0, of: height, from: left, to: right) }
        return shares.reduce(0, +) >= Self.leastMeanShareOfBlock * Float(max(1, shares.count))
    }

    private static func line(_ share: Float, of length: Int) -> Int { Int((share * Float(length)).rounded()) }

    /// Returns the largest share of marks beside a line; nil for a line so near to a side of the picture that no edge is there.
    private static func share(
        _ marks: EdgeMarks, near line: Int, of length: Int, from start: Int, to end: Int
    ) -> Float? {
        guard line > 2, line < length - 2 else { return nil }
        return (line - 1...line + 1).map { marks.share(before: $0, from: start, to: end) }.max()
    }

    private func candidate(_ left: Side, _ top: Side, _ right: Side, _ bottom: Side) -> Candidate? {
        let (across, down) = (right.line - left.line, bottom.line - top.line)
        guard down >= max(Self.shortestSide, min(width, height) / 10), across <= 5 * down, down <= 5 * across,
            100 * across * down <= 97 * width * height
        else { return nil }
        for side in [left, right] {
            guard 10 * (min(side.end, bottom.line) - max(side.start, top.line)) >= 8 * down else { return nil }
        }
        // A side of the picture itself is worth as much as a doubtful edge.
        let shares = SIMD4<Float>(
            left.isEdge ? columns.share(before: left.line, from: top.line, to: bottom.line) : 0.5,
            right.isEdge ? columns.share(before: right.line, from: top.line, to: bottom.line) : 0.5,
            top.isEdge ? rows.share(before: top.line, from: left.line, to: right.line) : 0.5,
            bottom.isEdge ? rows.share(before: bottom.line, from: left.line, to: right.line) : 0.5)
        let areEdges = SIMD4<Float>(
            left.isEdge ? 1 : 0, right.isEdge ? 1 : 0, top.isEdge ? 1 : 0, bottom.isEdge ? 1 : 0)
        guard areEdges.sum() > 0, shares.min() >= Self.leastShare,
            (shares * areEdges).sum() >= Self.leastMeanShare * areEdges.sum()
        else { return nil }
        return Candidate(
            rectangle: UnitRectangle(
                left: Float(left.line) / Float(width), top: Float(top.line) / Float(height),
                right: Float(right.line) / Float(width), bottom: Float(bottom.line) / Float(height)),
            areEdges: [left, top, right, bottom].map(\.isEdge),
            quality: shares.sum() / 4 + shares.min()
                + Self.weightOfSize * (Float(across * down) / Float(width * height)).squareRoot())
    }

    private static func sides(_ edges: [EdgeMarks.Edge], lines: Int, length: Int) -> [Side] {
        var sides = edges.map { Side(line: $0.line, start: $0.start, end: $0.end, isEdge: true) }
        sides.append(Side(line: 0, start: 0, end: length, isEdge: false))
        sides.append(Side(line: lines, start: 0, end: length, isEdge: false))
        return sides.sorted { ($0.line, $0.start) < ($1.line, $1.start) }
    }

    /// The longer side of the reduced picture, in pixels.
    private static let longerSide = 448.0
    /// The least shorter side of a long picture, up to the largest longer side.
    private static let (shorterSideOfLong, longestSide) = (224.0, 1344.0)
    private static let shortestSide = 16
    /// The places by which a side may be longer or shorter than the sides that it meets.
    private static let slack = 6
    /// The least share of marks on each side, and on all sides together; chosen on layouts with a picture inside, of which
    /// 99 of 100 reach them, and on photographs, of which half have a rectangle that does.
    private static let (leastShare, leastMeanShare): (Float, Float) = (0.4, 0.65)
    private static let mostRectangles = 40
    /// The most blocks after the last rectangle of edges.
    private static let mostBlocks = 8
    /// The least mean share of marks on the sides of a block.
    ///
    /// Of blocks around inner pictures, 84 of 100 reach it, and of those in photographs, 4 of 237.
    private static let leastMeanShareOfBlock: Float = 0.3
    /// The overlap from which on a block and a rectangle of edges are the same.
    private static let sameOverlap: Float = 0.9
    /// The weight of the size in the order of rectangles; small ones with clear edges are in every photograph.
    private static let weightOfSize: Float = 0.1
    /// Bounds the time for a picture that is full of lines; layouts with nine pictures have about 4,000.
    private static let mostCandidates = 50_000
}

extension ModelInput {
    /// The input that a picture of this size itself is.
    fileprivate static func picture(width: Int, height: Int) -> ModelInput {
        ModelInput(
            name: "", width: width, height: height, layout: .channelsLast, channelOrder: .rgb, mean: [0, 0, 0],
            scale: [1, 1, 1], resize: Resize(mode: .stretch, width: width, height: height, filter: .bilinear))
    }
}
