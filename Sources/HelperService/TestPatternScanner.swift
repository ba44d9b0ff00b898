// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CZBarShims
package import HelperProtocol

/// Looks for the QR codes that stand in for sensitive content in tests and demonstrations.
package enum TestPatternScanner {
    /// Loads ZBar where it is installed; in a process that is closed, it can no longer be.
    package static func load() {
        CZBarShims_load()
    }

    /// The patterns in a view, whatever their rotation.
    ///
    /// - Parameters:
    ///   - pixels: 8-bit RGB pixels, row after row.
    ///   - bytesPerRow: the distance between the starts of two rows; three bytes a pixel unless given.
    /// - Throws: `internalError` where ZBar cannot be started; a scan that did not take place must not read as none
    ///   found.
    package static func patterns(
        in pixels: some RandomAccessCollection<UInt8>, width: Int, height: Int, bytesPerRow: Int? = nil
    ) throws(DecodingFailure) -> TestPatternSet {
        let bytesPerRow = bytesPerRow ?? width * 3
        guard width > 0, height > 0, bytesPerRow >= width * 3, pixels.count >= (height - 1) * bytesPerRow + width * 3
        else { throw DecodingFailure(.internalError, detail: "too few pixels to look for codes") }
        var found: TestPatternSet = []
        let status = unsafe withUnsafeMutablePointer(to: &found) { found in
            pixels.withContiguousStorageIfAvailable { pixels in
                unsafe CZBarShims_find_qr_codes(
                    pixels.baseAddress, UInt32(width), UInt32(height), bytesPerRow,
                    { context, text, length in
                        guard let context = unsafe context, let text = unsafe text else { return }
                        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length)
                        unsafe context.assumingMemoryBound(to: TestPatternSet.self).pointee
                            .formUnion(unsafe TestPatternScanner.pattern(named: String(decoding: bytes, as: UTF8.self)))
                    }, found)
            }
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

    /// Three bytes for each of them, and two while they are looked at, have room beside what a library needs.
    private static let mostPixels = 67_108_864.0

    private static func pattern(named text: String) -> TestPatternSet {
        switch text {
        case "sensitive-content-analysis:test:sexuallyExplicit": .sexuallyExplicit
        case "sensitive-content-analysis:test:goreOrViolence": .goreOrViolence
        default: []
        }
    }
}
