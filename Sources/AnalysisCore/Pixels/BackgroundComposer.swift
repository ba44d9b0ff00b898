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
        guard bandCount == 4 else { return [pixels] }
        let isOpaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] >= Self.nearlyOpaque }
        return isOpaque ? [composed(pixels, over: 255)] : [composed(pixels, over: 255), composed(pixels, over: 0)]
    }

    private static func composed(_ pixels: [UInt8], over background: Int) -> [UInt8] {
        var view: [UInt8] = []
        view.reserveCapacity(pixels.count / 4 * 3)
        for position in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = Int(pixels[position + 3])
            for band in 0..<3 {
                let mixed = Int(pixels[position + band]) * alpha + background * (255 - alpha)
                view.append(UInt8((mixed + 127) / 255))
            }
        }
        return view
    }

    /// From this alpha on, a change of the background moves a colour by less than three of 255 levels.
    private static let nearlyOpaque: UInt8 = 253
}
