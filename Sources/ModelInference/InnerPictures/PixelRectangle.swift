// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// A rectangle of whole pixels of a view.
struct PixelRectangle {
    /// Returns the RGB pixels of a row of a view, valid until the next call.
    typealias Rows = (Int) -> UnsafeRawBufferPointer

    var left: Int
    var top: Int
    var right: Int
    var bottom: Int

    var width: Int { right - left }
    var height: Int { bottom - top }

    init(of view: PictureView) {
        (left, top, right, bottom) = (0, 0, view.width, view.height)
    }

    init(_ rectangle: UnitRectangle, of view: PictureView) {
        let (width, height) = (Float(view.width), Float(view.height))
        left = Int((rectangle.left * width).rounded())
        top = Int((rectangle.top * height).rounded())
        right = Int((rectangle.right * width).rounded())
        bottom = Int((rectangle.bottom * height).rounded())
    }

    /// Returns the rectangle in shares of a view.
    func unitRectangle(of view: PictureView) -> UnitRectangle {
        let (width, height) = (Float(view.width), Float(view.height))
        return UnitRectangle(
            left: Float(left) / width, top: Float(top) / height, right: Float(right) / width,
            bottom: Float(bottom) / height)
    }
}

extension PixelRectangle {
    /// Returns the rectangle without the borders of one colour along its sides, such as the bars beside a picture.
    ///
    /// - Parameter row: returns the pixels of a row of the view.
    /// - Returns: this rectangle if it has no such border, or little else.
    func withoutFlatBorders(_ row: Rows) -> PixelRectangle {
        guard width >= Self.shortestRest, height >= Self.shortestRest else { return self }
        var rest = self
        // Each row is valid until the next one is read.
        let upper = unsafe Self.color(left, in: row(top))
        while rest.height > Self.shortestRest, rest.isFlat(rest.top, upper, row) { rest.top += 1 }
        let lower = unsafe Self.color(left, in: row(bottom - 1))
        while rest.height > Self.shortestRest, rest.isFlat(rest.bottom - 1, lower, row) { rest.bottom -= 1 }
        let step = max(1, rest.height / Self.mostSamples)
        var (leftCount, rightCount) = (rest.width, rest.width)
        let start = unsafe row(rest.top)
        let (first, last) = unsafe (Self.color(left, in: start), Self.color(right - 1, in: start))
        for line in stride(from: rest.top, to: rest.bottom, by: step) where leftCount > 0 || rightCount > 0 {
            let pixels = unsafe row(line)
            var count = 0
            while count < leftCount, unsafe Self.isLike(first, rest.left + count, in: pixels) { count += 1 }
            leftCount = count
            count = 0
            while count < rightCount, unsafe Self.isLike(last, rest.right - 1 - count, in: pixels) { count += 1 }
            rightCount = count
        }
        rest.left += leftCount
        rest.right -= rightCount
        return rest.width >= Self.shortestRest && rest.height >= Self.shortestRest ? rest : self
    }

    /// Whether all pixels of a row have a colour.
    private func isFlat(_ line: Int, _ color: (Int, Int, Int), _ row: Rows) -> Bool {
        let pixels = unsafe row(line)
        return unsafe (left..<right).allSatisfy { unsafe Self.isLike(color, $0, in: pixels) }
    }

    private static func color(_ column: Int, in row: UnsafeRawBufferPointer) -> (Int, Int, Int) {
        let start = column * PixelImage.bytesPerPixel
        return unsafe (Int(row[start]), Int(row[start + 1]), Int(row[start + 2]))
    }

    private static func isLike(_ color: (Int, Int, Int), _ column: Int, in row: UnsafeRawBufferPointer) -> Bool {
        let own = unsafe Self.color(column, in: row)
        return abs(own.0 - color.0) <= tolerance && abs(own.1 - color.1) <= tolerance
            && abs(own.2 - color.2) <= tolerance
    }

    /// The largest difference of a level within a border, which encoders bring into it.
    private static let tolerance = 8
    /// The least width and height that borders leave.
    private static let shortestRest = 24
    /// The number of rows whose ends are compared.
    private static let mostSamples = 256
}
