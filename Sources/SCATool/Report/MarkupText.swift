// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Functions for text in HTML and SVG.
enum MarkupText {
    /// Returns a text with its markup characters escaped, and without invisible characters that reverse the shown text.
    static func escaped(_ text: String) -> String {
        var result = ""
        // A letter that joins the next character would hide it in a Character.
        for scalar in TerminalText.printable(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns a number with at most `decimals` decimals, and never more than three.
    static func number(_ value: Double, decimals: Int = 1) -> String {
        let factor = [1.0, 10, 100, 1000][min(max(decimals, 0), 3)]
        let rounded = (value * factor).rounded() / factor
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
