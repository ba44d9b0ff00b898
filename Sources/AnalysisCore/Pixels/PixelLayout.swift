// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The layout of pixels in memory, in any format that apps pass.
package struct PixelLayout: Sendable, Hashable {
    /// The width in pixels, at least 1.
    package let width: Int
    /// The height in pixels, at least 1.
    package let height: Int
    /// The distance between the starts of two rows, in bytes.
    package let bytesPerRow: Int
    package let format: PixelFormat
    /// The number of bytes from the first pixel to the end of the last pixel.
    package let byteCount: Int

    /// Creates a layout; nil if the numbers describe no pixels, so no later code reads past the end of a row.
    package init?(width: Int, height: Int, bytesPerRow: Int, format: PixelFormat) {
        let (rowBytes, rowOverflow) = width.multipliedReportingOverflow(by: format.bytesPerPixel)
        let (bodyBytes, bodyOverflow) = bytesPerRow.multipliedReportingOverflow(by: max(height - 1, 0))
        let (byteCount, endOverflow) = bodyBytes.addingReportingOverflow(rowBytes)
        guard width > 0, height > 0, bytesPerRow >= rowBytes, !rowOverflow, !bodyOverflow, !endOverflow else {
            return nil
        }
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.format = format
        self.byteCount = byteCount
    }
}

/// The meaning of the bytes of a pixel, in the order in which they lie in memory.
package enum PixelFormat: UInt8, Sendable, Hashable, CaseIterable {
    /// One byte of brightness.
    case gray8 = 1
    case rgb24 = 2
    case bgr24 = 3
    /// Red, green, blue and a byte without meaning.
    case rgbx32 = 4
    case bgrx32 = 5
    /// Red, green, blue and opacity; the colours are not premultiplied.
    case rgba32 = 6
    case bgra32 = 7
    /// Red, green, blue and opacity; the colours are multiplied by the opacity.
    case rgba32Premultiplied = 8
    case bgra32Premultiplied = 9

    /// The size of a pixel, in bytes.
    package var bytesPerPixel: Int {
        switch self {
        case .gray8: 1
        case .rgb24, .bgr24: 3
        default: 4
        }
    }

    package var hasOpacity: Bool {
        switch self {
        case .rgba32, .bgra32, .rgba32Premultiplied, .bgra32Premultiplied: true
        default: false
        }
    }

    package var isPremultiplied: Bool { self == .rgba32Premultiplied || self == .bgra32Premultiplied }

    /// The positions of red and blue in a pixel; green lies between them.
    package var redAndBlue: (red: Int, blue: Int) {
        switch self {
        case .gray8: (0, 0)
        case .rgb24, .rgbx32, .rgba32, .rgba32Premultiplied: (0, 2)
        case .bgr24, .bgrx32, .bgra32, .bgra32Premultiplied: (2, 0)
        }
    }
}
