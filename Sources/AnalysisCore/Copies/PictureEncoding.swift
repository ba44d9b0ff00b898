// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// How a judged picture is encoded.
package struct PictureEncoding: Sendable, Hashable {
    package var format: Format
    /// The quality of lossy formats, from 1 to 100.
    package var quality: Int
    /// The colour over which transparent pixels are laid in a format without opacity.
    package var background: Background

    package init(format: Format, quality: Int = 90, background: Background = .white) {
        (self.format, self.quality, self.background) = (format, quality, background)
    }

    package enum Format: UInt8, Sendable, Hashable, CaseIterable {
        case png = 1
        case jpeg = 2
        case webp = 3

        /// Whether decoding gives other pixels than were encoded.
        package var isLossy: Bool { self != .png }
    }

    /// A colour in sRGB.
    package struct Background: Sendable, Hashable {
        package let red: UInt8
        package let green: UInt8
        package let blue: UInt8

        package init(red: UInt8, green: UInt8, blue: UInt8) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }

        package static let white = Background(red: 255, green: 255, blue: 255)
    }

    package static let qualities = 1...100
}
