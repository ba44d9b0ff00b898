// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import InterventionKit

/// Draws a cover in the terminal, with a colour or a character of similar brightness for each sample.
enum CoverDrawing {
    /// - Parameters:
    ///   - samples: nil for a plain cover, if no picture could be decoded.
    ///   - columns: the width of the terminal; samples of a wide cover are left out where they do not fit.
    static func lines(of samples: CoverSamples?, columns: Int, inColour: Bool) -> [String] {
        guard let samples else { return Array(repeating: "  " + String(repeating: "//", count: 12), count: 6) }
        let room = columns - 2
        let isWide = samples.width * 2 > min(TextFrame.width, room)
        guard isWide else {
            return (0..<samples.height).map { row in
                line((0..<samples.width).map { field(color(samples, $0, row), inColour: inColour) }, inColour)
            }
        }
        // A character is twice as high as wide, so it stands for two samples, one above the other.
        let step = (samples.width + room - 1) / room
        return stride(from: 0, to: samples.height, by: 2 * step).map { row in
            let signs = stride(from: 0, to: samples.width, by: step).map { column in
                let upper = color(samples, column, row)
                let lower = row + step < samples.height ? color(samples, column, row + step) : upper
                return inColour
                    ? "\u{1B}[38;2;\(code(upper))m\u{1B}[48;2;\(code(lower))m\u{2580}"
                    : String(sign(zip(upper, lower).map { ($0 + $1) / 2 }))
            }
            return line(signs, inColour)
        }
    }

    private static func line(_ fields: [String], _ inColour: Bool) -> String {
        "  " + fields.joined() + (inColour ? "\u{1B}[0m" : "")
    }

    private static func color(_ samples: CoverSamples, _ column: Int, _ row: Int) -> [Int] {
        let position = (row * samples.width + column) * 3
        return samples.colors[position..<position + 3].map { Int($0) }
    }

    private static func code(_ color: [Int]) -> String { "\(color[0]);\(color[1]);\(color[2])" }

    private static func field(_ color: [Int], inColour: Bool) -> String {
        inColour ? "\u{1B}[48;2;\(code(color))m  " : String(repeating: sign(color), count: 2)
    }

    private static func sign(_ color: [Int]) -> Character {
        let signs = Array("@%#*+=-:. ")
        // Rec. 709's weights, in whole numbers.
        let brightness = (color[0] * 213 + color[1] * 715 + color[2] * 72) / 1000
        return signs[min(signs.count - 1, brightness * signs.count / 256)]
    }
}
