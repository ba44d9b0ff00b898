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
    /// Whether a decoder has averaged the pixels of a larger picture.
    package let isReduced: Bool

    /// Creates a picture over existing memory.
    ///
    /// - Throws: `internalFailure` where the dimensions do not fit the storage, so that no later
    ///   code can read past its end.
    package init(
        width: Int, height: Int, bytesPerRow: Int, offset: Int = 0, storage: any PixelStorage, isReduced: Bool = false
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
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.offset = offset
        self.storage = storage
        self.isReduced = isReduced
    }

    package static let bytesPerPixel = 3
}
