// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Texts as comma-separated values; source: RFC 4180.
enum ValueText {
    /// Returns the same path in a form that no spreadsheet takes for a formula, because names may come from strangers.
    static func harmless(_ path: String) -> String {
        guard let first = path.unicodeScalars.first, "=+-@\t\r\n".unicodeScalars.contains(first), path != "-" else {
            return path
        }
        return "./\(path)"
    }

    static func quoted(_ value: String) -> String {
        // Scalars are compared, because a quotation mark and an accent behind it are one character. Every separator that
        // spreadsheets use is quoted.
        let special = "\",;|\t\r\n".unicodeScalars
        guard value.unicodeScalars.contains(where: special.contains) else { return value }
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in value.unicodeScalars {
            quoted.append(scalar)
            if scalar == "\"" { quoted.append(scalar) }
        }
        return String(quoted) + "\""
    }
}
