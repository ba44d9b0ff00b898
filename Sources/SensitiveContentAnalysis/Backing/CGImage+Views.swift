// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation

#if !canImport(CoreGraphics)
extension CGImage {
    /// The opaque views that are to be judged.
    package func views() throws -> [PixelImage] {
        let (bandCount, straight) = rgbPixels()
        return try BackgroundComposer.views(of: straight, bandCount: bandCount).map { view in
            try PixelImage(
                width: width, height: height, bytesPerRow: width * PixelImage.bytesPerPixel,
                storage: ArrayPixelStorage(view))
        }
    }

    /// The pixels in the order red, green, blue and, where it means something, opacity, without padding.
    private func rgbPixels() -> (bandCount: Int, pixels: [UInt8]) {
        let (order, isPremultiplied) = pixelFormat.layout
        var result: [UInt8] = []
        result.reserveCapacity(width * height * order.count)
        let size = pixelFormat.bytesPerPixel
        for row in 0..<height {
            var position = pixels.startIndex + row * bytesPerRow
            for _ in 0..<width {
                let alpha = isPremultiplied ? Int(pixels[position + 3]) : 255
                for (band, source) in order.enumerated() {
                    let value = Int(pixels[position + source])
                    let isWeighted = isPremultiplied && band < 3 && alpha > 0
                    result.append(isWeighted ? UInt8(min(255, (value * 255 + alpha / 2) / alpha)) : UInt8(value))
                }
                position += size
            }
        }
        return (order.count, result)
    }
}

extension CGImage.PixelFormat {
    /// Where red, green, blue and opacity lie in a pixel, and whether colours are multiplied by opacity.
    fileprivate var layout: (order: [Int], isPremultiplied: Bool) {
        switch self {
        case .gray8: ([0, 0, 0], false)
        case .rgb24, .rgbx32: ([0, 1, 2], false)
        case .bgr24, .bgrx32: ([2, 1, 0], false)
        case .rgba32: ([0, 1, 2, 3], false)
        case .bgra32: ([2, 1, 0, 3], false)
        case .rgba32Premultiplied: ([0, 1, 2, 3], true)
        case .bgra32Premultiplied: ([2, 1, 0, 3], true)
        }
    }
}
#endif
