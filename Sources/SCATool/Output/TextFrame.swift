// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Breaks text into lines of a readable width, and draws a frame around a modal pane.
enum TextFrame {
    /// The width of text without a frame, in columns.
    static let width = 66

    /// Returns the width of text for a terminal of so many columns, with room for a frame.
    static func width(columns: Int) -> Int { max(12, min(width, columns - 4)) }

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

    /// Breaks a line between words if it is too long; the other lines have its indentation and `hanging` more columns, as
    /// many as the number of a choice takes.
    static func fitted(_ line: String, width: Int, hanging: Int = 0) -> [String] {
        guard columns(of: line) > width else { return [line] }
        let indent = line.prefix { $0 == " " }
        let rest = line.dropFirst(indent.count)
        let pieces = wrapped(String(rest.dropFirst(hanging)), width: width - indent.count - hanging)
        return pieces.enumerated().map { number, piece in
            indent + (number == 0 ? String(rest.prefix(hanging)) : String(repeating: " ", count: hanging)) + piece
        }
    }

    static func around(_ lines: [String], width: Int) -> [String] {
        let edge = "+" + String(repeating: "-", count: width + 2) + "+"
        return [edge] + lines.map { "| \(closed($0, width))" } + [edge]
    }

    /// Returns a line with the frame's right edge after it; a longer address stays whole and exceeds the frame.
    private static func closed(_ line: String, _ width: Int) -> String {
        let count = columns(of: line)
        return count > width ? line : line + String(repeating: " ", count: width - count) + " |"
    }

    /// The columns of a line on the screen; escape sequences for styles take none.
    private static func columns(of line: String) -> Int { line.replacing(/\u{1B}\[[0-9;]*m/, with: "").count }
}
