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
    /// A viewer reduces a large picture, and a pattern of fine dots may be readable only in the reduced picture. So
    /// smaller sizes of the view are scanned as well, and the contrast of faint pictures is raised.
    ///
    /// - Parameters:
    ///   - pixels: 8-bit RGB pixels, row after row.
    ///   - bytesPerRow: the distance between the starts of two rows; three bytes a pixel by default.
    /// - Throws: `internalError` if ZBar cannot be started, because a missing scan must not count as a scan without a
    ///   result.
    package static func patterns(
        in pixels: some RandomAccessCollection<UInt8>, width: Int, height: Int, bytesPerRow: Int? = nil
    ) throws(DecodingFailure) -> Set<ContentType> {
        let bytesPerRow = bytesPerRow ?? width * 3
        guard width > 0, height > 0, bytesPerRow >= width * 3, pixels.count >= (height - 1) * bytesPerRow + width * 3
        else { throw DecodingFailure(.internalError, detail: "too few pixels to look for codes") }
        let view = Array(pixels)
        var found: Set<ContentType> = []
        for factor in factors where factor == 1 || min(width, height) >= factor * Self.shortestReadableSide {
            let (width, height) = (width / factor, height / factor)
            let reduced =
                factor == 1 ? view : averaged(view, by: factor, width, height, bytesPerRow: bytesPerRow)
            let bytesPerRow = factor == 1 ? bytesPerRow : width * 3
            found.formUnion(try codes(in: reduced, width: width, height: height, bytesPerRow: bytesPerRow))
            guard found.isEmpty else { continue }
            var clear = reduced
            // Most pictures have full contrast already, and a second scan of the same pixels would find the same codes.
            if unsafe CPixelLoops_spread_levels(&clear, clear.count) {
                found.formUnion(try codes(in: clear, width: width, height: height, bytesPerRow: bytesPerRow))
            }
            unsafe CPixelLoops_invert(&clear, clear.count)
            found.formUnion(try codes(in: clear, width: width, height: height, bytesPerRow: bytesPerRow))
        }
        return found
    }

    /// The divisors of the width and height of a view; for every distance of dots, one reduction makes the dots even.
    private static let factors = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32]

    /// Returns a picture of `columns` by `rows` pixels, each the mean of a square with `factor` pixels an edge.
    private static func averaged(
        _ pixels: [UInt8], by factor: Int, _ columns: Int, _ rows: Int, bytesPerRow: Int
    ) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: columns * rows * 3) { target, count in
            unsafe CPixelLoops_average_squares(pixels, bytesPerRow, factor, columns, rows, target.baseAddress!)
            count = columns * rows * 3
        }
    }

    private static func codes(
        in pixels: [UInt8], width: Int, height: Int, bytesPerRow: Int
    ) throws(DecodingFailure) -> Set<ContentType> {
        var found: Set<ContentType> = []
        let status = unsafe withUnsafeMutablePointer(to: &found) { found in
            unsafe CZBarShims_find_qr_codes(
                pixels, UInt32(width), UInt32(height), bytesPerRow,
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
    /// The largest number of pixels of a scan, which takes five bytes a pixel beside the decoding library's memory.
    private static let mostPixels = 67_108_864.0
}
