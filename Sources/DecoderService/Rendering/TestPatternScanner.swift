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

    /// Returns the content types whose QR codes are in the views of a picture, in any rotation, dark on light or light on
    /// dark.
    ///
    /// Most pictures show nothing that looks like the corners of a code, and are searched no further. Otherwise each likely
    /// area and the whole view are scanned once, and then again in other sizes and versions, within the budget.
    ///
    /// - Parameter views: `width` × `height` 8-bit RGB pixels each, row after row, without padding.
    /// - Throws: `internalError` if ZBar cannot be started, because a missing scan must not count as a scan without a
    ///   result; `outOfMemory`.
    package static func patterns(
        in views: [[UInt8]], width: Int, height: Int, _ budget: inout SearchBudget
    ) throws(DecodingFailure) -> Set<ContentType> {
        budget.addPicture()
        var found: Set<ContentType> = []
        for pixels in views {
            guard width > 0, height > 0, pixels.count >= width * height * 3 else {
                throw DecodingFailure(.internalError, detail: "too few pixels to look for codes")
            }
            var search = Search(view: View(pixels: pixels, width: width, height: height), budget: budget)
            try search.run()
            budget = search.budget
            found.formUnion(search.found)
        }
        return found
    }

    /// A search of a view.
    private struct Search {
        let view: View
        private(set) var budget: SearchBudget
        private(set) var found: Set<ContentType> = []

        init(view: View, budget: SearchBudget) {
            self.view = view
            self.budget = budget
        }

        mutating func run() throws(DecodingFailure) {
            let whole = Rectangle(left: 0, top: 0, right: view.width, bottom: view.height)
            guard whole.pixelCount > mostPixelsOfWholeSearch else {
                let all = factors.filter { $0 == 1 || whole.shorterSide >= $0 * shortestReadableSide }
                for polarity in Polarity.allCases where try glance(whole, polarity, reducedBy: 1) { return }
                for polarity in Polarity.allCases where try study(whole, polarity, reducedBy: all) { return }
                return
            }
            let areas = try areas(of: view)
            guard let likeliest = areas.first else { return }
            var unread: [Area] = []
            for area in areas.prefix(leastGlances)
            where try !glance(area.rectangle, area.polarity, reducedBy: area.bestFactor) {
                unread.append(area)
            }
            // One code may be hidden among many places that look like its corners.
            let factor = (whole.shorterSide + shorterSideOfGlance - 1) / shorterSideOfGlance
            for polarity in Polarity.allCases
            where areas.contains(where: { $0.polarity == polarity && $0.likeness >= likenessOfCodes }) {
                guard found.isEmpty, budget.isLeft else { break }
                _ = try glance(whole, polarity, reducedBy: factor)
            }
            for area in areas.dropFirst(leastGlances) where budget.isLeft {
                if try !glance(area.rectangle, area.polarity, reducedBy: area.bestFactor) { unread.append(area) }
            }
            guard found.isEmpty else { return }
            for area in unread where try study(area.rectangle, area.polarity, reducedBy: area.readableFactors) {
                return
            }
            // The corners are those of a code, which may be damaged, or whose area is guessed wrongly.
            guard unread.contains(where: { $0.likeness >= likenessOfCodes }) else { return }
            let coarse = factors.filter {
                whole.shorterSide >= $0 * shortestReadableSide && whole.shorterSide / $0 <= longestSideOfCoarseScan
            }
            guard try !study(whole, likeliest.polarity, reducedBy: coarse) else { return }
            let fine = factors.filter { likeliest.module / Float($0) > readableModules.upperBound }
            _ = try study(likeliest.rectangle, likeliest.polarity, reducedBy: fine)
        }

        /// Scans an area once, even if nothing is left of the budget, and returns whether a code was read.
        ///
        /// The text of the code may be another.
        private mutating func glance(
            _ area: Rectangle, _ polarity: Polarity, reducedBy factor: Int
        ) throws(DecodingFailure) -> Bool {
            let start = SearchBudget.now()
            defer { budget.spend(since: start) }
            let view = reduced(area, of: view, by: factor)
            return try scan(polarity == .darkOnLight ? view : view.inverted(), version: 0)
        }

        /// Scans an area at several sizes and in all versions until a code is read or the budget is spent, and returns
        /// whether a code was read.
        ///
        /// A viewer reduces a large picture, and a pattern of fine dots may be readable only in the reduced picture. The
        /// contrast of faint pictures is raised.
        private mutating func study(
            _ area: Rectangle, _ polarity: Polarity, reducedBy factors: [Int]
        ) throws(DecodingFailure) -> Bool {
            for factor in factors where area.shorterSide / factor >= shortestSideOfArea || factor == 1 {
                guard budget.isLeft else { return false }
                let plain = reduced(area, of: view, by: factor)
                var clear = plain.pixels
                // Most pictures have full contrast already.
                let isChanged = unsafe CPixelLoops_spread_levels(&clear, clear.count, 4, 255)
                var views = [polarity == .darkOnLight ? plain : plain.with(clear).inverted()]
                if isChanged, polarity == .darkOnLight { views.append(plain.with(clear)) }
                for each in views {
                    for version in 0..<CZBARSHIMS_VERSIONS {
                        guard budget.isLeft else { return false }
                        let start = SearchBudget.now()
                        defer { budget.spend(since: start) }
                        if try scan(each, version: version) { return true }
                    }
                }
            }
            return false
        }

        private mutating func scan(_ view: View, version: Int) throws(DecodingFailure) -> Bool {
            let texts = try texts(in: view, version: version)
            found.formUnion(ContentType.allCases.filter { texts.contains($0.testPatternText) })
            return !texts.isEmpty
        }
    }

    /// The colours of a code.
    private enum Polarity: CaseIterable {
        case darkOnLight
        case lightOnDark
    }

    /// An area that may show a code.
    private struct Area {
        let rectangle: Rectangle
        /// The length of a module, in pixels.
        let module: Float
        /// The likeness of the corners to those of a code, from 0.5 to 1.
        let likeness: Float
        let polarity: Polarity

        /// The divisors with which ZBar reads the code best; 1 if there are none.
        var readableFactors: [Int] {
            let readable = factors.filter { readableModules.contains(module / Float($0)) }
            return readable.isEmpty ? [1] : readable
        }

        /// The divisor with which a module has three pixels or a little more.
        var bestFactor: Int { factors.last { module / Float($0) >= 3 } ?? 1 }
    }

    /// Pixels of a view, three bytes each.
    private struct View {
        let pixels: [UInt8]
        let width: Int
        let height: Int

        func with(_ pixels: [UInt8]) -> View {
            View(pixels: pixels, width: width, height: height)
        }

        func inverted() -> View {
            var inverted = pixels
            unsafe CPixelLoops_invert(&inverted, inverted.count)
            return with(inverted)
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

    /// Returns the areas that may show a code, the likeliest first.
    private static func areas(of view: View) throws(DecodingFailure) -> [Area] {
        var areas = [CZBarShims_Area](repeating: CZBarShims_Area(), count: mostAreas)
        let count = unsafe CZBarShims_find_code_areas(
            view.pixels, Int32(view.width), Int32(view.height), &areas, Int32(areas.count))
        guard count >= 0 else { throw DecodingFailure(.outOfMemory) }
        return areas.prefix(Int(count)).compactMap { area in
            let rectangle = Rectangle(
                left: max(0, Int(area.left)), top: max(0, Int(area.top)),
                right: min(view.width, Int(area.left + area.width)),
                bottom: min(view.height, Int(area.top + area.height)))
            guard rectangle.shorterSide >= shortestSideOfArea else { return nil }
            return Area(
                rectangle: rectangle, module: area.module, likeness: area.likeness,
                polarity: area.is_dark ? .darkOnLight : .lightOnDark)
        }
    }

    /// The divisors of the width and height; for every distance of dots, one reduction makes the dots even.
    private static let factors = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32]

    /// Returns an area in which each pixel is the mean of a square with `factor` pixels an edge.
    private static func reduced(_ area: Rectangle, of view: View, by factor: Int) -> View {
        let (width, height) = (area.width / factor, area.height / factor)
        let bytesPerRow = view.width * 3
        let first = area.top * bytesPerRow + area.left * 3
        let pixels = unsafe [UInt8](unsafeUninitializedCapacity: width * height * 3) { target, count in
            unsafe view.pixels.withUnsafeBufferPointer { pixels in
                unsafe CPixelLoops_average_squares(
                    pixels.baseAddress! + first, bytesPerRow, factor, width, height, target.baseAddress!)
            }
            count = width * height * 3
        }
        return View(pixels: pixels, width: width, height: height)
    }

    /// Returns the texts of the codes in a version of a view.
    private static func texts(in view: View, version: Int) throws(DecodingFailure) -> Set<String> {
        var found: Set<String> = []
        let status = unsafe withUnsafeMutablePointer(to: &found) { found in
            unsafe CZBarShims_find_qr_codes(
                view.pixels, UInt32(view.width), UInt32(view.height), Int32(version),
                { context, text, length in
                    guard let context = unsafe context, let text = unsafe text else { return }
                    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length)
                    let name = unsafe String(decoding: bytes, as: UTF8.self)
                    unsafe context.assumingMemoryBound(to: Set<String>.self).pointee.insert(name)
                }, found)
        }
        guard status == 0 else { throw DecodingFailure(.internalError, detail: "ZBar cannot be used") }
        return found
    }

    /// Returns the divisor for the width and height of a picture before a scan, which saves time and memory.
    ///
    /// The divisor is the same for both, because a code in a squeezed picture cannot be read.
    package static func reduction(width: Int, height: Int) -> Int {
        let bySide = min(width, height) / shorterSide
        let byMemory = Int((Double(width) * Double(height) / mostPixels).squareRoot().rounded(.up))
        return max(1, bySide, byMemory)
    }

    /// The pixels that the shorter side of a picture keeps before a scan, unless memory requires a smaller picture.
    ///
    /// The modules of a code of a fifth of the side have five pixels then.
    package static let shorterSide = 768

    /// The least width and height of a scanned reduction, in pixels: a code of 29 modules needs some pixels a module.
    private static let shortestReadableSide = 60
    /// The least width and height of an area, in pixels.
    private static let shortestSideOfArea = 20
    /// The number of areas that may be scanned, each of which takes about a millisecond.
    private static let mostAreas = 32
    /// The number of areas that are scanned whatever is left of the budget.
    private static let leastGlances = 2
    /// The size up to which the whole view is scanned at all sizes, which takes a few milliseconds.
    private static let mostPixelsOfWholeSearch = 128 * 128
    /// The lengths of a module that ZBar reads best, in pixels.
    private static let readableModules: ClosedRange<Float> = 1.2...5.5
    /// The likeness from which on an area is taken for a code that cannot be read easily; planks and leaves have less.
    private static let likenessOfCodes: Float = 0.7
    /// The longest shorter side of the whole view where it is scanned once, in pixels.
    private static let shorterSideOfGlance = 512
    /// The longest shorter side of the whole view where it is scanned in all versions, in pixels.
    private static let longestSideOfCoarseScan = 513
    /// The largest number of pixels of a scan, which takes five bytes a pixel beside the decoding library's memory.
    private static let mostPixels = 67_108_864.0
}
