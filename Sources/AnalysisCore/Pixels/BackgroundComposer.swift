// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops

/// Composes a picture with transparent parts over the backgrounds that an app may draw it on.
package enum BackgroundComposer {
    /// Returns the opaque views of a picture, each as RGB pixels without padding.
    ///
    /// - Parameter pixels: 8-bit sRGB with three or four bands.
    /// - Returns: one view if the background hardly shows; otherwise views over white and black, so nothing is hidden.
    package static func views(of pixels: [UInt8], bandCount: Int) -> [[UInt8]] {
        let count = pixels.count / max(1, bandCount)
        guard bandCount == 4,
            let layout = PixelLayout(width: count, height: 1, bytesPerRow: count * 4, format: .rgba32)
        else { return [pixels] }
        return unsafe pixels.withUnsafeBytes { unsafe views(of: layout, in: $0) }
    }

    /// Returns the opaque views of pixels of any format.
    ///
    /// - Parameter pixels: at least `layout.byteCount` bytes.
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

    /// Returns the levels of the backgrounds for a picture: white, and black if the background shows through.
    package static func backgrounds(of layout: PixelLayout, in pixels: UnsafeRawBufferPointer) -> [UInt8] {
        guard layout.format.hasOpacity else { return [255] }
        precondition(pixels.count >= layout.byteCount)
        for row in 0..<layout.height {
            let start = unsafe pixels.baseAddress! + row * layout.bytesPerRow
            if unsafe CPixelLoops_has_opacity_below(start, layout.width, nearlyOpaque) { return [255, 0] }
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
        precondition(row >= 0 && row < layout.height)
        precondition(pixels.count >= layout.byteCount && target.count >= layout.width * 3)
        unsafe CPixelLoops_compose(
            pixels.baseAddress! + row * layout.bytesPerRow, layout.width, layout.format.description, background,
            target.baseAddress)
    }

    /// The alpha from which on a change of the background changes a colour by less than three of 255 levels.
    private static let nearlyOpaque: UInt8 = 253
}

extension PixelFormat {
    /// The meaning of the bytes of a pixel, for loops in C.
    var description: CPixelLoops_Format {
        let (red, blue) = redAndBlue
        return CPixelLoops_Format(
            size: bytesPerPixel, red: red, green: bytesPerPixel == 1 ? 0 : 1, blue: blue, opacity: 3,
            has_opacity: hasOpacity, is_premultiplied: isPremultiplied, is_divided: false)
    }
}
