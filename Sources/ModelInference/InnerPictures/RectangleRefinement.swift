// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CPixelLoops

/// Moves the sides of a rectangle to the clearest edges nearby, at the full detail of a view.
///
/// A score can change by a fifth if a picture is cut 1 % too large or too small.
struct RectangleRefinement {
    private let view: PictureView

    init(in view: PictureView) {
        self.view = view
    }

    /// Returns the rectangle of the view without borders of one colour along its sides.
    func withoutFlatBorders() -> UnitRectangle {
        let all = PixelRectangle(of: view)
        return view.withRows { all.withoutFlatBorders($0) }.unitRectangle(of: view)
    }

    /// Returns the rectangle with its sides at the clearest edges, and without borders of one colour inside them.
    func refined(_ rectangle: UnitRectangle) -> UnitRectangle {
        let (width, height) = (Float(view.width), Float(view.height))
        var pixels = PixelRectangle(rectangle, of: view)
        // Somewhat more than a pixel of the reduced picture, in pixels of the view.
        let slack = 1.6 / Float(RectangleFinder.scale(of: view))
        let across = max(2, Int((slack * width / Float(view.originalWidth)).rounded(.up)))
        let down = max(2, Int((slack * height / Float(view.originalHeight)).rounded(.up)))
        view.withRows { row in
            let columns = columns(pixels, across, row)
            (pixels.left, pixels.right) = (columns.first, columns.second)
            pixels.top = line(near: pixels.top, pixels, down, row)
            pixels.bottom = line(near: pixels.bottom, pixels, down, row)
            guard pixels.width > 0, pixels.height > 0 else { return }
            pixels = pixels.withoutFlatBorders(row)
        }
        let refined = pixels.unitRectangle(of: view)
        return refined.isValid ? refined : rectangle
    }

    /// Returns the columns near the left and the right side in front of which neighbouring pixels differ most.
    private func columns(
        _ pixels: PixelRectangle, _ slack: Int, _ row: PixelRectangle.Rows
    ) -> (first: Int, second: Int) {
        let windows = [pixels.left, pixels.right].map { window(around: $0, slack, end: view.width) }
        var sums = windows.map { [Int](repeating: 0, count: $0.count) }
        let inset = (pixels.bottom - pixels.top) / 20
        let lines = (pixels.top + inset)..<max(pixels.top + inset, pixels.bottom - inset)
        var differences = [UInt8](repeating: 0, count: 2 * slack + 1)
        for line in stride(from: lines.lowerBound, to: lines.upperBound, by: max(1, lines.count / Self.mostSamples)) {
            let bytes = unsafe row(line)
            for (index, window) in windows.enumerated() where !window.isEmpty {
                guard let start = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { continue }
                let first = unsafe start + (window.lowerBound - 1) * PixelImage.bytesPerPixel
                unsafe CPixelLoops_differences(first, first + 3, window.count, &differences, 1)
                for place in 0..<window.count { sums[index][place] += Self.bounded(differences[place]) }
            }
        }
        func best(_ index: Int, or side: Int) -> Int {
            guard let place = sums[index].indices.max(by: { sums[index][$0] < sums[index][$1] }) else { return side }
            return windows[index].lowerBound + place
        }
        return (best(0, or: pixels.left), best(1, or: pixels.right))
    }

    /// Returns the row near a side in front of which neighbouring pixels differ most.
    private func line(
        near side: Int, _ pixels: PixelRectangle, _ slack: Int, _ row: PixelRectangle.Rows
    ) -> Int {
        let window = window(around: side, slack, end: view.height)
        let inset = (pixels.right - pixels.left) / 20
        let count = pixels.right - pixels.left - 2 * inset
        guard !window.isEmpty, count > 0 else { return side }
        let (start, length) = ((pixels.left + inset) * PixelImage.bytesPerPixel, count * PixelImage.bytesPerPixel)
        var last = unsafe [UInt8](row(window.lowerBound - 1)[start..<(start + length)])
        var differences = [UInt8](repeating: 0, count: count)
        var best = (line: side, sum: -1)
        for line in window {
            let current = unsafe [UInt8](row(line)[start..<(start + length)])
            unsafe CPixelLoops_differences(last, current, count, &differences, 1)
            let sum = differences.reduce(0) { $0 + Self.bounded($1) }
            if sum > best.sum { best = (line, sum) }
            last = current
        }
        return best.line
    }

    /// Returns the lines that may replace a side; none for a side of the picture itself.
    private func window(around side: Int, _ slack: Int, end: Int) -> Range<Int> {
        guard side > 2, side < end - 2 else { return 0..<0 }
        return max(1, side - slack)..<min(end, side + slack + 1)
    }

    /// Bounds a difference, so that a few strong places do not outweigh a whole edge.
    private static func bounded(_ difference: UInt8) -> Int { Int(min(difference, 40)) }

    /// The number of rows that are compared for a column.
    private static let mostSamples = 512
}
