// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The description of a decoded picture, whose pixels are in the pixel memory.
package struct ImageReply: Sendable, Equatable {
    package var format: MediaFormat
    /// The size of the whole upright picture before reduction, in pixels.
    package var originalWidth: UInt32
    package var originalHeight: UInt32
    /// The shape of each view; the views lie one after the other in the pixel memory.
    package var pixels: PixelDescription
    /// The number of views, which differ visibly: 1 for most pictures, at most ``maximumViewCount``.
    package var viewCount: UInt8
    /// The content types whose test patterns were found.
    package var testPatterns: Set<ContentType>
    /// Whether parts of the picture could not be decoded as intended, so that other programs may show something else.
    package var isDamaged: Bool

    package init(
        format: MediaFormat, originalWidth: UInt32, originalHeight: UInt32, pixels: PixelDescription,
        viewCount: UInt8, testPatterns: Set<ContentType>, isDamaged: Bool = false
    ) {
        self.format = format
        (self.originalWidth, self.originalHeight) = (originalWidth, originalHeight)
        self.pixels = pixels
        self.viewCount = viewCount
        self.testPatterns = testPatterns
        self.isDamaged = isDamaged
    }
}

extension ImageReply {
    /// The largest number of views of one picture.
    package static let maximumViewCount = 9

    func write(to writer: inout ByteWriter) {
        writer.write(format.rawValue)
        writer.write(originalWidth)
        writer.write(originalHeight)
        pixels.write(to: &writer)
        writer.write(viewCount)
        testPatterns.write(to: &writer)
        writer.write(UInt8(isDamaged ? 1 : 0))
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        guard let format = MediaFormat(rawValue: try reader.read()) else { throw .valueOutOfRange }
        self.init(
            format: format, originalWidth: try reader.read(), originalHeight: try reader.read(),
            pixels: try PixelDescription(from: &reader), viewCount: try reader.read(),
            testPatterns: try Set<ContentType>(from: &reader),
            isDamaged: try reader.read(UInt8.self) != 0)
    }
}
