// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// An opaque picture of 8-bit sRGB pixels, three bytes a pixel in the order red, green, blue, top row first.
package struct PixelImage: Sendable {
    /// The width in pixels, at least 1.
    package let width: Int
    /// The height in pixels, at least 1.
    package let height: Int
    /// The distance between the starts of two rows, in bytes.
    package let bytesPerRow: Int
    /// The position of the first pixel in the storage, in bytes.
    package let offset: Int
    package let storage: any PixelStorage
    /// The size of the picture before a decoder reduced it, in pixels; the factors of width and height may differ.
    package let originalWidth: Int
    package let originalHeight: Int

    /// Creates a picture over existing memory.
    ///
    /// - Throws: `internalFailure` if the dimensions do not fit the storage, so no later code reads past its end.
    package init(
        width: Int, height: Int, bytesPerRow: Int, offset: Int = 0, storage: any PixelStorage,
        originalSize: (width: Int, height: Int)? = nil
    ) throws(AnalysisFailure) {
        let (rowBytes, rowOverflow) = width.multipliedReportingOverflow(by: Self.bytesPerPixel)
        let (bodyBytes, bodyOverflow) = bytesPerRow.multipliedReportingOverflow(by: max(height - 1, 0))
        let (pixelBytes, pixelOverflow) = bodyBytes.addingReportingOverflow(rowBytes)
        let (end, endOverflow) = offset.addingReportingOverflow(pixelBytes)
        guard width > 0, height > 0, offset >= 0, bytesPerRow >= rowBytes,
            !rowOverflow, !bodyOverflow, !pixelOverflow, !endOverflow, end <= storage.byteCount
        else {
            throw AnalysisFailure(.internalFailure, "The dimensions of a picture do not fit its memory.")
        }
        (self.width, self.height) = (width, height)
        (self.bytesPerRow, self.offset) = (bytesPerRow, offset)
        self.storage = storage
        originalWidth = max(width, originalSize?.width ?? width)
        originalHeight = max(height, originalSize?.height ?? height)
    }

    /// A copy of the pixels without padding.
    package var packedBytes: [UInt8] {
        let rowLength = width * Self.bytesPerPixel
        return unsafe storage.withBytes { bytes in
            (0..<height).reduce(into: [UInt8]()) { packed, row in
                let start = offset + row * bytesPerRow
                unsafe packed.append(contentsOf: bytes[start..<(start + rowLength)])
            }
        }
    }

    package static let bytesPerPixel = 3
}
