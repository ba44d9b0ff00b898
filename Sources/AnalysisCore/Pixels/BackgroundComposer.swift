// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Composes a picture with transparent parts over the backgrounds that an app may draw it on.
package enum BackgroundComposer {
    /// The opaque views of a picture, each of `width` × `height` RGB pixels without padding.
    ///
    /// - Parameter pixels: 8-bit sRGB with three or four bands.
    /// - Returns: one view where the background hardly shows; otherwise the picture over white and over black, so
    ///   that nothing hides in transparency.
    package static func views(of pixels: [UInt8], bandCount: Int) -> [[UInt8]] {
        let count = pixels.count / max(1, bandCount)
        guard bandCount == 4,
            let layout = PixelLayout(width: count, height: 1, bytesPerRow: count * 4, format: .rgba32)
        else { return [pixels] }
        return unsafe pixels.withUnsafeBytes { unsafe views(of: layout, in: $0) }
    }

    /// The opaque views of pixels of any format.
    ///
    /// - Parameter pixels: at least as many bytes as the layout says.
    package static func views(of layout: PixelLayout, in pixels: UnsafeRawBufferPointer) -> [[UInt8]] {
        unsafe backgrounds(of: layout, in: pixels).map { background in
            let rowLength = layout.width * 3
            return unsafe [UInt8](unsafeUninitializedCapacity: rowLength * layout.height) { view, count in
                for row in 0..<layout.height {
                    let target = unsafe UnsafeMutableRawBufferPointer(view)[(row * rowLength)...]
                    unsafe compose(
                        row, of: layout, in: pixels, over: background,
                        into: UnsafeMutableRawBufferPointer(rebasing: target))
                }
                count = rowLength * layout.height
            }
        }
    }

    /// The levels of the backgrounds over which a picture has to be seen: white, and black where that shows.
    package static func backgrounds(of layout: PixelLayout, in pixels: UnsafeRawBufferPointer) -> [UInt8] {
        guard layout.format.hasOpacity else { return [255] }
        precondition(pixels.count >= layout.byteCount)
        for row in 0..<layout.height {
            var position = row * layout.bytesPerRow + 3
            let end = position + layout.width * 4
            while position < end {
                if unsafe pixels[position] < nearlyOpaque { return [255, 0] }
                position += 4
            }
        }
        return [255]
    }

    /// Writes a row as opaque RGB pixels.
    ///
    /// - Parameter target: room for three bytes for each pixel of a row.
    package static func compose(
        _ row: Int, of layout: PixelLayout, in pixels: UnsafeRawBufferPointer, over background: UInt8,
        into target: UnsafeMutableRawBufferPointer
    ) {
        precondition(pixels.count >= layout.byteCount && target.count >= layout.width * 3)
        let format = layout.format
        let size = format.bytesPerPixel
        let (red, blue) = format.redAndBlue
        let green = size == 1 ? 0 : 1
        let (hasOpacity, isPremultiplied) = (format.hasOpacity, format.isPremultiplied)
        var source = row * layout.bytesPerRow
        var position = 0
        for _ in 0..<layout.width {
            var level = unsafe (
                Int(pixels[source + red]), Int(pixels[source + green]), Int(pixels[source + blue])
            )
            if hasOpacity {
                let alpha = unsafe Int(pixels[source + 3])
                // Colours above their opacity are no valid pixels, and compositors show them: they are added as they are.
                let factor = isPremultiplied ? 255 : alpha
                let rest = Int(background) * (255 - alpha) + 127
                level = (
                    min(255, (level.0 * factor + rest) / 255), min(255, (level.1 * factor + rest) / 255),
                    min(255, (level.2 * factor + rest) / 255)
                )
            }
            unsafe target[position] = UInt8(truncatingIfNeeded: level.0)
            unsafe target[position + 1] = UInt8(truncatingIfNeeded: level.1)
            unsafe target[position + 2] = UInt8(truncatingIfNeeded: level.2)
            source += size
            position += 3
        }
    }

    /// From this alpha on, a change of the background moves a colour by less than three of 255 levels.
    private static let nearlyOpaque: UInt8 = 253
}
