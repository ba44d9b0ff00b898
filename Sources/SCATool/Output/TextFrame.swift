// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Breaks text into lines of a readable width, and draws a frame around a modal pane.
enum TextFrame {
    static let width = 66

    /// Breaks a text between words into lines of at most `width` columns; a longer word stays whole.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, ColumnText.columns(of: last) + 1 + ColumnText.columns(of: String(word)) <= width {
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

    /// Returns a line with the frame's right edge after it; a longer address stays whole and exceeds the frame.
    private static func closed(_ line: String) -> String {
        // Escape sequences for styles take no columns.
        let visible = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        return visible.count > width ? line : line + String(repeating: " ", count: width - visible.count) + " |"
    }
}
