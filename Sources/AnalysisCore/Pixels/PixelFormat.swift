// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

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
