// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CPixelLoops
internal import CZBarShims
internal import HelperProtocol

/// Looks for the QR codes that stand in for sensitive content in tests and demonstrations.
package enum TestPatternScanner {
    /// Loads ZBar where it is installed; in a process that is closed, it can no longer be.
    package static func load() {
        CZBarShims_load()
    }

    /// The patterns in a view, whatever their rotation, dark on light or light on dark.
    ///
    /// A viewer shows a large picture reduced, in which a pattern of fine dots can be read that cannot be read before. So
    /// the view is looked at in smaller sizes as well, and faint levels are spread.
    ///
    /// - Parameters:
    ///   - pixels: 8-bit RGB pixels, row after row.
    ///   - bytesPerRow: the distance between the starts of two rows; three bytes a pixel unless given.
    /// - Throws: `internalError` where ZBar cannot be started; a scan that did not take place must not read as none
    ///   found.
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
            // Most pictures use the whole range, and the same pixels hold the same codes.
            if unsafe CPixelLoops_spread_levels(&clear, clear.count) {
                found.formUnion(try codes(in: clear, width: width, height: height, bytesPerRow: bytesPerRow))
            }
            unsafe CPixelLoops_invert(&clear, clear.count)
            found.formUnion(try codes(in: clear, width: width, height: height, bytesPerRow: bytesPerRow))
        }
        return found
    }

    /// By what the sides of a view are divided: dots of every period become even in one of the reductions.
    private static let factors = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32]

    /// The means of squares of pixels, `columns` by `rows` of them.
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

    /// The factor by which both sides of a picture may be divided before it is looked at.
    ///
    /// It is the same for both, since a code in a long picture cannot be read once it has been squeezed.
    ///
    /// - Parameter shortestSide: the length in pixels below which neither side is reduced for the sake of speed.
    package static func reduction(width: Int, height: Int, shortestSide: Int) -> Int {
        let bySide = min(width, height) / shortestSide
        let byMemory = Int((Double(width) * Double(height) / mostPixels).squareRoot().rounded(.up))
        return max(1, bySide, byMemory)
    }

    /// A code of 29 modules and its quiet zone need some pixels for each.
    private static let shortestReadableSide = 60
    /// Three bytes for each of them, and two while they are looked at, have room beside what a library needs.
    private static let mostPixels = 67_108_864.0
}
