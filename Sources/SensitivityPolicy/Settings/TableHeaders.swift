// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Refuses headers of tables without a name, at which the parser of TOML ends the process instead of telling.
///
/// toml++ 3.4, which TOMLKit contains, asserts in `parse_key` that a name follows. No setting is a list in a list or a text of
/// several lines, so nothing that is meant is lost.
enum TableHeaders {
    /// - Throws: `SettingsError` with the line.
    static func check(_ text: String) throws(SettingsError) {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            var rest = line.drop(while: \.isBlank)
            guard rest.first == "[" else { continue }
            rest = rest.dropFirst().drop(while: \.isBlank)
            if rest.first == "[" { rest = rest.dropFirst().drop(while: \.isBlank) }
            guard let first = rest.first, first.canBeginName || first == "]" else {
                throw SettingsError("is not valid TOML: in line \(index + 1), no name follows \"[\"")
            }
        }
    }
}

extension Unicode.Scalar {
    /// White space within a line, and the mark that may begin a file.
    fileprivate var isBlank: Bool { properties.isWhitespace || self == "\u{FEFF}" }

    fileprivate var canBeginName: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "\"", "'": true
        default: false
        }
    }
}
