// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

/// Text for a terminal.
enum TerminalText {
    /// A text without anything that a terminal would obey: file names come from strangers as well.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }

    enum Style: String {
        case bold = "1"
        case red = "31"
        case yellow = "33"
        case dim = "2"
    }

    /// A text in a style, where the terminal shows styles and the person has not declined them (no-color.org).
    static func styled(_ text: String, _ styles: Style..., if isEnabled: Bool) -> String {
        guard isEnabled else { return text }
        return "\u{1B}[\(styles.map(\.rawValue).joined(separator: ";"))m\(text)\u{1B}[0m"
    }

    /// Whether standard output shows styles.
    static var showsStyles: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty
    }
}
