// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import SensitiveContentAnalysis

#if !canImport(CoreGraphics)
extension CGImage {
    /// Returns the image with a full cover over each region, and a little around it.
    ///
    /// - Returns: nil if the image has no pixel format of judged images, or if there is no region.
    /// - Throws: `SensitivityAnalysisError` if a cover cannot be made.
    package func covered(in regions: [SCSensitivityAnalysis.Region]) throws -> CGImage? {
        guard !regions.isEmpty, [.rgb24, .rgba32].contains(pixelFormat) else { return nil }
        let size = pixelFormat.bytesPerPixel
        var covered = pixels
        for region in regions {
            let columns = Self.range(region.x, region.width, of: width)
            let rows = Self.range(region.y, region.height, of: height)
            guard !columns.isEmpty, !rows.isEmpty else { return nil }
            let cover = try CoverSamples(of: part(columns, rows)).picture(width: columns.count, height: rows.count)
            for (line, row) in rows.enumerated() {
                for (place, column) in columns.enumerated() {
                    let target = covered.startIndex + row * bytesPerRow + column * size
                    let source = cover.pixels.startIndex + line * cover.bytesPerRow + place * 3
                    for channel in 0..<3 { covered[target + channel] = cover.pixels[source + channel] }
                    // A cover is opaque, so that no pixel behind it shows through.
                    if size == 4 { covered[target + 3] = 255 }
                }
            }
        }
        return try CGImage(
            width: width, height: height, pixelFormat: pixelFormat, bytesPerRow: bytesPerRow, pixels: covered)
    }

    /// Returns a part of the image over the same memory.
    private func part(_ columns: Range<Int>, _ rows: Range<Int>) throws -> CGImage {
        let start = pixels.startIndex + rows.lowerBound * bytesPerRow + columns.lowerBound * pixelFormat.bytesPerPixel
        return try CGImage(
            width: columns.count, height: rows.count, pixelFormat: pixelFormat, bytesPerRow: bytesPerRow,
            pixels: pixels[start...])
    }

    /// Returns the columns or rows of an edge, and a little beyond both ends.
    private static func range(_ start: Double, _ length: Double, of count: Int) -> Range<Int> {
        let margin = max(Self.leastMargin, length * Double(count) * Self.margin)
        let first = Int((start * Double(count) - margin).rounded(.down))
        let last = Int(((start + length) * Double(count) + margin).rounded(.up))
        let lower = min(max(0, first), count)
        return lower..<max(lower, min(last, count))
    }

    /// The margin around a region, as a share of its length and in pixels; an edge may be found a pixel off.
    private static let (margin, leastMargin) = (0.01, 2.0)
}
#endif
