// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Turns pictures by quarters.
enum Turning {
    /// The upright picture.
    ///
    /// - Parameters:
    ///   - pixels: `width` × `height` RGB pixels without padding.
    ///   - rotation: 0, 90, 180 or 270 degrees clockwise; 360 more where the picture is then mirrored left to right.
    static func upright(_ pixels: [UInt8], width: Int, height: Int, rotation: Int) -> [UInt8] {
        guard rotation != 0 else { return pixels }
        let isMirrored = rotation >= 360
        let quarter = rotation % 360
        let (columns, rows) = quarter % 180 == 90 ? (height, width) : (width, height)
        var turned: [UInt8] = []
        turned.reserveCapacity(pixels.count)
        for row in 0..<rows {
            for place in 0..<columns {
                let column = isMirrored ? columns - 1 - place : place
                let (x, y) =
                    switch quarter {
                    case 90: (row, height - 1 - column)
                    case 180: (width - 1 - column, height - 1 - row)
                    case 270: (width - 1 - row, column)
                    default: (column, row)
                    }
                let position = (y * width + x) * PixelImage.bytesPerPixel
                turned.append(contentsOf: pixels[position..<(position + PixelImage.bytesPerPixel)])
            }
        }
        return turned
    }
}
