// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CPixelLoops

/// A picture of soft ellipses and a fine texture, which code draws and whose scores are known.
///
/// It is drawn in whole numbers, so it is the same on every processor. The shapes were found at random by
/// `IntegrationTests/conformance/search_drawings.py`. The default model gives the first drawing a middling score. A
/// wrong filter, order of channels or mean moves such a score most.
package struct KnownDrawing: Sendable {
    struct Color: Sendable {
        let red: Int
        let green: Int
        let blue: Int

        init(_ red: Int, _ green: Int, _ blue: Int) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }

        var values: CPixelLoops_Color { CPixelLoops_Color(red: red, green: green, blue: blue) }
    }

    /// A soft ellipse.
    struct Ellipse: Sendable {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        let color: Color
    }

    let background: Color
    let ellipses: [Ellipse]
    /// The factors of x, of y and of x times y in the texture's formula, and the number of its levels.
    let texture: (x: Int, y: Int, product: Int, levels: Int)

    static let width = 640
    static let height = 480

    package static let all: [KnownDrawing] = [middling, plain]

    static let middling = KnownDrawing(
        background: Color(214, 24, 150),
        ellipses: [
            Ellipse(x: 207, y: 65, width: 20, height: 212, color: Color(190, 177, 86)),
            Ellipse(x: 368, y: 274, width: 158, height: 97, color: Color(173, 119, 122)),
            Ellipse(x: 455, y: 367, width: 217, height: 128, color: Color(235, 131, 138)),
            Ellipse(x: 354, y: 315, width: 232, height: 74, color: Color(226, 134, 119)),
            Ellipse(x: 131, y: 186, width: 316, height: 109, color: Color(221, 174, 125)),
            Ellipse(x: 120, y: 180, width: 255, height: 164, color: Color(186, 133, 139)),
            Ellipse(x: 199, y: 406, width: 107, height: 217, color: Color(240, 123, 121)),
        ],
        texture: (x: 73, y: 46, product: 25, levels: 31))
    static let plain = KnownDrawing(
        background: Color(40, 120, 200),
        ellipses: [
            Ellipse(x: 200, y: 160, width: 150, height: 90, color: Color(240, 220, 60)),
            Ellipse(x: 460, y: 330, width: 110, height: 130, color: Color(30, 160, 70)),
        ],
        texture: (x: 13, y: 29, product: 37, levels: 48))

    /// The drawing as a view for the resampler.
    package var view: PictureView {
        guard
            let image = try? PixelImage(
                width: Self.width, height: Self.height, bytesPerRow: Self.width * PixelImage.bytesPerPixel,
                storage: ArrayPixelStorage(pixels))
        else { preconditionFailure("The pixels fill the size.") }
        return PictureView(image)
    }

    /// Returns the tensors of all drawings, in the order of `all`.
    static func tensors(_ input: ModelInput) -> [[Float]] {
        let preprocessor = Preprocessor(input)
        return all.map { drawing in
            unsafe [Float](unsafeUninitializedCapacity: preprocessor.valueCount) { tensor, count in
                unsafe preprocessor.write(
                    drawing.view, into: UnsafeMutableBufferPointer(rebasing: tensor.prefix(preprocessor.valueCount)))
                count = preprocessor.valueCount
            }
        }
    }

    /// The pixels in 8-bit RGB, row after row.
    ///
    /// Every start of the model's process draws them, so tables of columns and rows hold the distances.
    var pixels: [UInt8] {
        let columns = ellipses.flatMap { ellipse in Self.squares(around: ellipse.x, ellipse.width, count: Self.width) }
        let rows = ellipses.map { ellipse in Self.squares(around: ellipse.y, ellipse.height, count: Self.height) }
        let colors = ellipses.map(\.color.values)
        let texture = [texture.x, texture.y, texture.product, texture.levels]
        let rowLength = Self.width * PixelImage.bytesPerPixel
        return unsafe [UInt8](unsafeUninitializedCapacity: rowLength * Self.height) { pixels, count in
            for y in 0..<Self.height {
                unsafe CPixelLoops_draw_row(
                    Self.width, y, background.values, ellipses.count, colors, columns, rows.map { $0[y] }, texture,
                    pixels.baseAddress! + y * rowLength)
            }
            count = rowLength * Self.height
        }
    }

    /// Returns the squared distances of `count` columns or rows from a centre, in 1,024ths of the squared radius.
    private static func squares(around center: Int, _ radius: Int, count: Int) -> [Int] {
        (0..<count).map { ($0 - center) * ($0 - center) * 1024 / (radius * radius) }
    }
}
