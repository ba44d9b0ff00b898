// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The size of the picture that the app displays, before its pixels are decoded.
package struct WholePictureReply: Sendable, Equatable {
    package var format: MediaFormat
    /// The size of the upright picture for which the decoder needs memory, in pixels.
    package var width: UInt32
    package var height: UInt32
    /// Whether pixels have four bytes, of which the last is opacity; otherwise they have three.
    package var hasOpacity: Bool
    /// The size of the upright picture in the file, in pixels.
    package var originalWidth: UInt32
    package var originalHeight: UInt32

    package init(
        format: MediaFormat, width: Int, height: Int, hasOpacity: Bool, originalWidth: Int, originalHeight: Int
    ) {
        self.format = format
        (self.width, self.height) = (UInt32(clamping: width), UInt32(clamping: height))
        self.hasOpacity = hasOpacity
        self.originalWidth = UInt32(clamping: originalWidth)
        self.originalHeight = UInt32(clamping: originalHeight)
    }

    /// The layout of the pixels in rows without padding; nil if there are none.
    package var layout: PixelLayout? {
        let format: PixelFormat = hasOpacity ? .rgba32 : .rgb24
        return PixelLayout(
            width: Int(width), height: Int(height), bytesPerRow: Int(width) * format.bytesPerPixel, format: format)
    }

    func write(to writer: inout ByteWriter) {
        writer.write(format.rawValue)
        for length in [width, height, originalWidth, originalHeight] { writer.write(length) }
        writer.write(UInt8(hasOpacity ? 1 : 0))
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        guard let format = MediaFormat(rawValue: try reader.read()) else { throw .valueOutOfRange }
        self.format = format
        width = try reader.read()
        height = try reader.read()
        originalWidth = try reader.read()
        originalHeight = try reader.read()
        hasOpacity = try reader.readFlag()
    }
}
