// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Text in lines of a readable width, and a frame around what interrupts.
enum TextFrame {
    static let width = 66

    /// Breaks a text between its words.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    static func around(_ lines: [String]) -> [String] {
        let edge = "+" + String(repeating: "-", count: width + 2) + "+"
        return [edge] + lines.map { "| \(closed($0))" } + [edge]
    }

    /// A line with the frame's right edge behind it; an address that is longer stays whole and goes beyond the frame.
    private static func closed(_ line: String) -> String {
        // What sets styles takes no room.
        let visible = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        return visible.count > width ? line : line + String(repeating: " ", count: width - visible.count) + " |"
    }
}
