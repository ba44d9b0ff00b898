// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// A picture that code draws, whose scores are known: soft ellipses and a fine texture, in whole numbers, so that it is
/// the same on every processor.
///
/// The shapes were found at random by `IntegrationTests/conformance/search_drawings.py`. The default model gives the
/// first drawing a middling score, which a wrong filter, order of channels or mean moves most.
package struct KnownDrawing: Sendable {
    /// A soft ellipse.
    struct Ellipse: Sendable {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        let color: [Int]
    }

    let background: [Int]
    let ellipses: [Ellipse]
    /// The factors of the texture, and the number of its levels.
    let texture: (x: Int, y: Int, product: Int, levels: Int)

    static let width = 640
    static let height = 480

    package static let all: [KnownDrawing] = [middling, plain]

    static let middling = KnownDrawing(
        background: [214, 24, 150],
        ellipses: [
            Ellipse(x: 207, y: 65, width: 20, height: 212, color: [190, 177, 86]),
            Ellipse(x: 368, y: 274, width: 158, height: 97, color: [173, 119, 122]),
            Ellipse(x: 455, y: 367, width: 217, height: 128, color: [235, 131, 138]),
            Ellipse(x: 354, y: 315, width: 232, height: 74, color: [226, 134, 119]),
            Ellipse(x: 131, y: 186, width: 316, height: 109, color: [221, 174, 125]),
            Ellipse(x: 120, y: 180, width: 255, height: 164, color: [186, 133, 139]),
            Ellipse(x: 199, y: 406, width: 107, height: 217, color: [240, 123, 121]),
        ],
        texture: (x: 73, y: 46, product: 25, levels: 31))
    static let plain = KnownDrawing(
        background: [40, 120, 200],
        ellipses: [
            Ellipse(x: 200, y: 160, width: 150, height: 90, color: [240, 220, 60]),
            Ellipse(x: 460, y: 330, width: 110, height: 130, color: [30, 160, 70]),
        ],
        texture: (x: 13, y: 29, product: 37, levels: 48))

    /// The drawing as the resampler takes it.
    package var view: PictureView {
        guard
            let image = try? PixelImage(
                width: Self.width, height: Self.height, bytesPerRow: Self.width * PixelImage.bytesPerPixel,
                storage: ArrayPixelStorage(pixels))
        else { preconditionFailure("The pixels fill the size.") }
        return PictureView(image)
    }

    /// 8-bit RGB, row after row.
    var pixels: [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(Self.width * Self.height * PixelImage.bytesPerPixel)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                var (red, green, blue) = (background[0], background[1], background[2])
                for ellipse in ellipses {
                    let opacity = Self.opacity(of: ellipse, x, y)
                    guard opacity > 0 else { continue }
                    red = (red * (1024 - opacity) + ellipse.color[0] * opacity) / 1024
                    green = (green * (1024 - opacity) + ellipse.color[1] * opacity) / 1024
                    blue = (blue * (1024 - opacity) + ellipse.color[2] * opacity) / 1024
                }
                let grain = (x * texture.x + y * texture.y + x * y % texture.product) % texture.levels
                let change = grain - texture.levels / 2
                pixels.append(UInt8(clamping: red + change))
                pixels.append(UInt8(clamping: green + change))
                pixels.append(UInt8(clamping: blue + change))
            }
        }
        return pixels
    }

    /// From 0 outside to 1024 inside; the outer third of the squared radius is soft.
    private static func opacity(of ellipse: Ellipse, _ x: Int, _ y: Int) -> Int {
        let (dx, dy) = (x - ellipse.x, y - ellipse.y)
        let distance =
            dx * dx * 1024 / (ellipse.width * ellipse.width) + dy * dy * 1024 / (ellipse.height * ellipse.height)
        return min(1024, max(0, 1024 - distance) * 3)
    }
}
