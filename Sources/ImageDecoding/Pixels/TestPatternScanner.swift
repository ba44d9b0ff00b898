// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CZBar
package import DecoderProtocol

/// Looks for the QR codes that stand in for sensitive content in tests and demonstrations.
package enum TestPatternScanner {
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
        guard let scanner = unsafe zbar_image_scanner_create() else { throw DecodingFailure(.internalError) }
        defer { unsafe zbar_image_scanner_destroy(scanner) }
        guard unsafe zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0) == 0,
            unsafe zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1) == 0,
            let image = unsafe zbar_image_create()
        else { throw DecodingFailure(.internalError) }
        defer { unsafe zbar_image_destroy(image) }

        let grey = luma(of: pixels, width: width, height: height, bytesPerRow: bytesPerRow ?? width * 3)
        unsafe zbar_image_set_format(image, Self.grey8Bit)
        unsafe zbar_image_set_size(image, UInt32(width), UInt32(height))
        let symbols = unsafe grey.withUnsafeBufferPointer { buffer -> (isScanned: Bool, found: TestPatternSet) in
            unsafe zbar_image_set_data(image, buffer.baseAddress, UInt(buffer.count), nil)
            guard unsafe zbar_scan_image(scanner, image) >= 0 else { return (false, []) }
            return unsafe (true, patterns(foundIn: image))
        }
        guard symbols.isScanned else { throw DecodingFailure(.internalError) }
        return symbols.found
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

    private static func patterns(foundIn image: OpaquePointer) -> TestPatternSet {
        var found: TestPatternSet = []
        var symbol = unsafe zbar_image_first_symbol(image)
        while let current = unsafe symbol {
            if let data = unsafe zbar_symbol_get_data(current) {
                let length = unsafe Int(zbar_symbol_get_data_length(current))
                switch unsafe String(decoding: UnsafeRawBufferPointer(start: data, count: length), as: UTF8.self) {
                case "sensitive-content-analysis:test:sexuallyExplicit": found.insert(.sexuallyExplicit)
                case "sensitive-content-analysis:test:goreOrViolence": found.insert(.goreOrViolence)
                default: break
                }
            }
            unsafe symbol = zbar_symbol_next(current)
        }
        return found
    }

    /// The letters "Y800", which is what ZBar calls 8-bit grey.
    private static let grey8Bit: UInt = 0x3030_3859
}
