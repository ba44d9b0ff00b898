// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CZBarShims
package import DecoderProtocol

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
        let grey = luma(of: pixels, width: width, height: height, bytesPerRow: bytesPerRow ?? width * 3)
        let found = try patterns(inGrey: grey, width: width, height: height)
        guard found.isEmpty, width > 2, height > 2 else { return found }
        // Where damage has hit a code, reading it is a matter of a few pixels; other programs, or people with a telephone,
        // may read it still. Smoothed, and turned, ZBar finds most that it misses at first.
        let smooth = smoothed(grey, width: width, height: height)
        return try patterns(inGrey: smooth, width: width, height: height)
            .union(patterns(inGrey: turned(grey, width: width, height: height), width: height, height: width))
    }

    private static func patterns(inGrey grey: [UInt8], width: Int, height: Int) throws(DecodingFailure)
        -> TestPatternSet
    {
        var found: TestPatternSet = []
        let status = unsafe withUnsafeMutablePointer(to: &found) { found in
            unsafe CZBarShims_find_qr_codes(
                grey, UInt32(width), UInt32(height),
                { context, text, length in
                    guard let context = unsafe context, let text = unsafe text else { return }
                    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length)
                    unsafe context.assumingMemoryBound(to: TestPatternSet.self).pointee
                        .formUnion(unsafe TestPatternScanner.pattern(named: String(decoding: bytes, as: UTF8.self)))
                }, found)
        }
        guard status == 0 else { throw DecodingFailure(.internalError, detail: "ZBar cannot be used") }
        return found
    }

    /// The mean of each pixel and its eight neighbours; the edges stay as they are.
    private static func smoothed(_ grey: [UInt8], width: Int, height: Int) -> [UInt8] {
        var result = grey
        for y in 1..<(height - 1) {
            for x in 1..<(width - 1) {
                var sum = 0
                for row in (y - 1)...(y + 1) {
                    let start = row * width + x
                    sum += Int(grey[start - 1]) + Int(grey[start]) + Int(grey[start + 1])
                }
                result[y * width + x] = UInt8(sum / 9)
            }
        }
        return result
    }

    /// A quarter turn.
    private static func turned(_ grey: [UInt8], width: Int, height: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: grey.count) { target, count in
            for y in 0..<height {
                for x in 0..<width { unsafe target[x * height + height - 1 - y] = grey[y * width + x] }
            }
            count = grey.count
        }
    }

    private static func pattern(named text: String) -> TestPatternSet {
        switch text {
        case "sensitive-content-analysis:test:sexuallyExplicit": .sexuallyExplicit
        case "sensitive-content-analysis:test:goreOrViolence": .goreOrViolence
        default: []
        }
    }

    /// The brightness of each pixel, weighted as in Recommendation BT.601.
    private static func luma(
        of pixels: some RandomAccessCollection<UInt8>, width: Int, height: Int, bytesPerRow: Int
    ) -> [UInt8] {
        var luma: [UInt8] = []
        luma.reserveCapacity(width * height)
        for row in 0..<height {
            var index = pixels.index(pixels.startIndex, offsetBy: row * bytesPerRow)
            for _ in 0..<width {
                var sum = 0
                for weight in [77, 150, 29] {
                    sum += weight * Int(pixels[index])
                    pixels.formIndex(after: &index)
                }
                luma.append(UInt8(sum >> 8))
            }
        }
        return luma
    }
}
