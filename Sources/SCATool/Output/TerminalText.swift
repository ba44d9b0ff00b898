// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

/// Text for a terminal.
enum TerminalText {
    /// Returns a text without characters that a terminal would obey, because file names may come from strangers.
    ///
    /// A joiner between two emoji stays, because it only makes them one sign.
    static func printable(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var printable = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            // XML has no noncharacters, and terminals show them in their own ways.
            guard !scalar.properties.isNoncharacterCodePoint else {
                printable.append("\u{FFFD}")
                continue
            }
            switch scalar.properties.generalCategory {
            case .format where scalar == "\u{200D}" && joinsEmoji(scalars, at: index): printable.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
                printable.append("\u{FFFD}")
            default: printable.append(scalar)
            }
        }
        return String(printable)
    }

    /// Whether there is an emoji on both sides of a joiner.
    private static func joinsEmoji(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        // Behind an emoji there may be a selector of its form.
        let before = scalars[..<index].last { $0 != "\u{FE0F}" }
        guard let before, index + 1 < scalars.count else { return false }
        // Digits are emoji as well, because keycaps are made of them.
        return [before, scalars[index + 1]].allSatisfy { $0.properties.isEmoji && $0.value > 0xFF }
    }

    enum Style: String {
        case bold = "1"
        case red = "31"
        case yellow = "33"
        case dim = "2"
    }

    /// Returns a text in styles if they are enabled, or else the text itself.
    static func styled(_ text: String, _ styles: Style..., if isEnabled: Bool) -> String {
        guard isEnabled else { return text }
        return "\u{1B}[\(styles.map(\.rawValue).joined(separator: ";"))m\(text)\u{1B}[0m"
    }

    /// Returns the width of a terminal in columns, or 80 for anything else.
    ///
    /// - Parameter most: the largest number to return, because long lines of text are hard to read.
    static func columns(of descriptor: Int32, atMost most: Int = .max) -> Int {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return min(80, most) }
        return max(20, min(Int(size.ws_col), most))
    }

    /// Returns a text with line breaks between words for a terminal, and unchanged for anything else.
    static func wrapped(_ text: String, for descriptor: Int32) -> String {
        isatty(descriptor) == 1 ? wrapped(text, columns: columns(of: descriptor)) : text
    }

    /// Returns a text in which each line that is too long is broken between words; other lines stay as they are.
    static func wrapped(_ text: String, columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            ColumnText.columns(of: String(line)) <= columns
                ? String(line) : TextFrame.wrapped(String(line), width: columns).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Whether standard output is a terminal that shows styles, and the person has not declined them (no-color.org).
    static var showsStyles: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty
    }
}
