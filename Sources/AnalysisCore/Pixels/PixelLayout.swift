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
