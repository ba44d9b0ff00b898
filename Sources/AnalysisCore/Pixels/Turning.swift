// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops

/// Turns pictures by quarter turns, and mirrors them.
package enum Turning {
    /// Returns the upright picture.
    ///
    /// - Parameters:
    ///   - pixels: `width` × `height` RGB pixels without padding.
    ///   - rotation: 0, 90, 180 or 270 degrees clockwise; 360 more if the picture is then mirrored left to right.
    package static func upright(_ pixels: [UInt8], width: Int, height: Int, rotation: Int) -> [UInt8] {
        let count = width * height * PixelImage.bytesPerPixel
        guard rotation != 0, count > 0 else { return pixels }
        precondition(pixels.count >= count)
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            unsafe CPixelLoops_turn(
                pixels, Int32(width), Int32(height), Int32(PixelImage.bytesPerPixel), Int32(rotation % 360 / 90),
                rotation >= 360, target.baseAddress!)
            filled = count
        }
    }
}
