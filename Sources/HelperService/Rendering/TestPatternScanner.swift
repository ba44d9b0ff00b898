// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CPixelLoops
internal import CZBarShims
internal import HelperProtocol

/// A scanner for the QR codes that stand for sensitive content in tests and demonstrations.
package enum TestPatternScanner {
    /// Loads ZBar if it is installed, which must happen before the sandbox is closed.
    package static func load() {
        CZBarShims_load()
    }

    /// Returns the content types whose QR codes are in a view, in any rotation, dark on light or light on dark.
    ///
    /// Most pictures show nothing that lies like the corners of a code, and are searched no further. Otherwise the
    /// likeliest areas are scanned.
    ///
    /// - Parameters:
    ///   - pixels: 8-bit RGB pixels, row after row.
    ///   - bytesPerRow: the distance between the starts of two rows; three bytes a pixel by default.
    /// - Throws: `internalError` if ZBar cannot be started, because a missing scan must not count as a scan without a
    ///   result; `outOfMemory`.
    package static func patterns(
        in pixels: some RandomAccessCollection<UInt8>, width: Int, height: Int, bytesPerRow: Int? = nil
    ) throws(DecodingFailure) -> Set<ContentType> {
        let bytesPerRow = bytesPerRow ?? width * 3
        guard width > 0, height > 0, bytesPerRow >= width * 3, pixels.count >= (height - 1) * bytesPerRow + width * 3
        else { throw DecodingFailure(.internalError, detail: "too few pixels to look for codes") }
        let view = View(pixels: Array(pixels), bytesPerRow: bytesPerRow, width: width, height: height)
        let whole = Rectangle(left: 0, top: 0, right: width, bottom: height)
        guard whole.pixelCount > mostPixelsOfWholeSearch else {
            let all = factors.filter { $0 == 1 || whole.shorterSide >= $0 * shortestReadableSide }
            return try codes(in: whole, of: view, reducedBy: all)
        }
        let areas = try areas(of: view)
        var found: Set<ContentType> = []
        for (area, module) in areas {
            // ZBar reads modules of this many pixels best; their number is bounded, and so is the time.
            let readable = factors.filter { module / Float($0) >= 1.2 && module / Float($0) <= 5 }
            found.formUnion(try codes(in: area, of: view, reducedBy: readable.isEmpty ? [1] : readable))
        }
        if found.isEmpty, !areas.isEmpty {
            // The corners may belong to a code whose area was guessed wrongly.
            let factor = max(1, (whole.shorterSide + shorterSideOfLastScan - 1) / shorterSideOfLastScan)
            found = try codes(in: reduced(whole, of: view, by: factor))
        }
        return found
    }

    /// Pixels of a view, three bytes each.
    private struct View {
        let pixels: [UInt8]
        let bytesPerRow: Int
        let width: Int
        let height: Int

        func with(_ pixels: [UInt8]) -> View {
            View(pixels: pixels, bytesPerRow: bytesPerRow, width: width, height: height)
        }
    }

    private struct Rectangle {
        let left: Int
        let top: Int
        let right: Int
        let bottom: Int

        var width: Int { right - left }
        var height: Int { bottom - top }
        var shorterSide: Int { min(width, height) }
        var pixelCount: Int { width * height }
    }

    /// Returns the areas that may show a code, the likeliest first, each with the length of a module in pixels.
    private static func areas(of view: View) throws(DecodingFailure) -> [(area: Rectangle, module: Float)] {
        var areas = [CZBarShims_Area](repeating: CZBarShims_Area(), count: mostAreas)
        let count = unsafe CZBarShims_find_code_areas(
            view.pixels, Int32(view.width), Int32(view.height), view.bytesPerRow, &areas, Int32(areas.count))
        guard count >= 0 else { throw DecodingFailure(.outOfMemory) }
        return areas.prefix(Int(count)).compactMap { area in
            let rectangle = Rectangle(
                left: max(0, Int(area.left)), top: max(0, Int(area.top)),
                right: min(view.width, Int(area.left + area.width)),
                bottom: min(view.height, Int(area.top + area.height)))
            return rectangle.shorterSide >= shortestSideOfArea ? (rectangle, area.module) : nil
        }
    }

    /// Returns the content types whose codes are in an area, which is scanned at several sizes.
    ///
    /// A viewer reduces a large picture, and a pattern of fine dots may be readable only in the reduced picture. The
    /// contrast of faint pictures is raised.
    private static func codes(
        in area: Rectangle, of view: View, reducedBy factors: [Int]
    ) throws(DecodingFailure) -> Set<ContentType> {
        var found: Set<ContentType> = []
        for factor in factors where area.shorterSide / factor >= shortestSideOfArea || factor == 1 {
            let reduced = reduced(area, of: view, by: factor)
            found.formUnion(try codes(in: reduced))
            guard found.isEmpty else { continue }
            var clear = reduced.pixels
            // Most pictures have full contrast already, and a second scan of the same pixels would find the same codes.
            if unsafe CPixelLoops_spread_levels(&clear, clear.count) {
                found.formUnion(try codes(in: reduced.with(clear)))
            }
            unsafe CPixelLoops_invert(&clear, clear.count)
            found.formUnion(try codes(in: reduced.with(clear)))
        }
        return found
    }

    /// The divisors of the width and height; for every distance of dots, one reduction makes the dots even.
    private static let factors = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32]

    /// Returns an area in which each pixel is the mean of a square with `factor` pixels an edge.
    private static func reduced(_ area: Rectangle, of view: View, by factor: Int) -> View {
        let (width, height) = (area.width / factor, area.height / factor)
        let first = area.top * view.bytesPerRow + area.left * 3
        let pixels = unsafe [UInt8](unsafeUninitializedCapacity: width * height * 3) { target, count in
            unsafe view.pixels.withUnsafeBufferPointer { pixels in
                unsafe CPixelLoops_average_squares(
                    pixels.baseAddress! + first, view.bytesPerRow, factor, width, height, target.baseAddress!)
            }
            count = width * height * 3
        }
        return View(pixels: pixels, bytesPerRow: width * 3, width: width, height: height)
    }

    private static func codes(in view: View) throws(DecodingFailure) -> Set<ContentType> {
        var found: Set<ContentType> = []
        let status = unsafe withUnsafeMutablePointer(to: &found) { found in
            unsafe CZBarShims_find_qr_codes(
                view.pixels, UInt32(view.width), UInt32(view.height), view.bytesPerRow,
                { context, text, length in
                    guard let context = unsafe context, let text = unsafe text else { return }
                    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length)
                    let name = unsafe String(decoding: bytes, as: UTF8.self)
                    unsafe context.assumingMemoryBound(to: Set<ContentType>.self).pointee
                        .formUnion(ContentType.allCases.filter { $0.testPatternText == name })
                }, found)
        }
        guard status == 0 else { throw DecodingFailure(.internalError, detail: "ZBar cannot be used") }
        return found
    }

    /// Returns the divisor for the width and height of a picture before a scan, which saves time and memory.
    ///
    /// The divisor is the same for both, because a code in a squeezed picture cannot be read.
    ///
    /// - Parameter shortestSide: the pixels that the shorter edge keeps, unless memory requires a smaller picture.
    package static func reduction(width: Int, height: Int, shortestSide: Int) -> Int {
        let bySide = min(width, height) / shortestSide
        let byMemory = Int((Double(width) * Double(height) / mostPixels).squareRoot().rounded(.up))
        return max(1, bySide, byMemory)
    }

    /// The least width and height of a scanned reduction, in pixels: a code of 29 modules needs some pixels a module.
    private static let shortestReadableSide = 60
    /// The least width and height of an area, in pixels.
    private static let shortestSideOfArea = 20
    /// The number of areas that are scanned; photographs with much texture have many that show no code.
    private static let mostAreas = 8
    /// The size up to which the whole view is scanned at all sizes, which takes a few milliseconds.
    private static let mostPixelsOfWholeSearch = 128 * 128
    /// The shorter side of the whole view in the last scan, in pixels.
    private static let shorterSideOfLastScan = 400
    /// The largest number of pixels of a scan, which takes five bytes a pixel beside the decoding library's memory.
    private static let mostPixels = 67_108_864.0
}
