// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// A cover in the terminal: a field of colour, or of darker and lighter signs, for each sample.
enum CoverDrawing {
    /// - Parameter samples: nil for a plain cover, where no picture could be decoded.
    static func lines(of samples: PixelSamples?, inColour: Bool) -> [String] {
        guard let samples else { return Array(repeating: "  " + String(repeating: "//", count: 12), count: 6) }
        return (0..<samples.height).map { row in
            let fields = (0..<samples.width).map { column in
                let position = (row * samples.width + column) * 3
                return field(samples.colors[position..<position + 3].map { Int($0) }, inColour: inColour)
            }
            return "  " + fields.joined() + (inColour ? "\u{1B}[0m" : "")
        }
    }

    private static func field(_ color: [Int], inColour: Bool) -> String {
        if inColour { return "\u{1B}[48;2;\(color[0]);\(color[1]);\(color[2])m  " }
        let signs = Array("@%#*+=-:. ")
        // Rec. 709's weights, in whole numbers.
        let brightness = (color[0] * 213 + color[1] * 715 + color[2] * 72) / 1000
        let sign = signs[min(signs.count - 1, brightness * signs.count / 256)]
        return String([sign, sign])
    }
}
