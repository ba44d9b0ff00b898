// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// An abstract drawing that the default model scores over 0.9, alone or on a canvas on which its score is far lower.
///
/// It is that of `IntegrationTests/support/drawings.py`.
package enum HighDrawing {
    package static let (width, height) = (640, 480)

    private static let background = [214, 24, 150]
    /// Centre, half axes and colour of each soft ellipse.
    private static let ellipses: [(x: Int, y: Int, width: Int, height: Int, color: [Int])] = [
        (272, 162, 87, 183, [204, 172, 99]), (549, 196, 204, 20, [200, 125, 114]),
        (542, 346, 239, 125, [229, 138, 151]), (350, 296, 260, 111, [251, 133, 124]),
        (127, 205, 306, 111, [220, 142, 124]), (122, 183, 229, 168, [192, 135, 128]),
        (218, 372, 45, 186, [245, 114, 136]),
    ]

    /// Red, green and blue of a pixel.
    private static func color(_ x: Int, _ y: Int) -> [UInt8] {
        var color = background
        for ellipse in ellipses {
            let (across, down) = (x - ellipse.x, y - ellipse.y)
            let distance =
                across * across * 1024 / (ellipse.width * ellipse.width)
                + down * down * 1024 / (ellipse.height * ellipse.height)
            guard distance < 1024 else { continue }
            let opacity = min(1024, (1024 - distance) * 3)
            color = zip(color, ellipse.color).map { ($0 * (1024 - opacity) + $1 * opacity) / 1024 }
        }
        let grain = (x * 73 + y * 46 + x * y % 25) % 31 - 15
        return color.map { UInt8(min(255, max(0, $0 + grain))) }
    }

    /// The pixels in 8-bit RGB, row after row.
    private static let pixels: [UInt8] = (0..<height).flatMap { y in (0..<width).flatMap { x in color(x, y) } }

    /// A BMP file with the drawing on a white canvas.
    package static func bitmap(canvas: (width: Int, height: Int), left: Int, top: Int) -> Data {
        let rowLength = (canvas.width * 3 + 3) / 4 * 4
        func bytes(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        var file = Data(Array("BM".utf8) + bytes(54 + rowLength * canvas.height) + bytes(0) + bytes(54))
        file.append(contentsOf: bytes(40) + bytes(canvas.width) + bytes(canvas.height) + [1, 0, 24, 0])
        file.append(contentsOf: [0, rowLength * canvas.height, 2835, 2835, 0, 0].flatMap(bytes))
        // The rows begin with the lowest, and have blue first.
        for y in (0..<canvas.height).reversed() {
            var row = [UInt8](repeating: 255, count: rowLength)
            if (top..<(top + height)).contains(y) {
                for x in 0..<width {
                    for channel in 0..<3 {
                        row[(left + x) * 3 + channel] = pixels[((y - top) * width + x) * 3 + 2 - channel]
                    }
                }
            }
            file.append(contentsOf: row)
        }
        return file
    }
}
