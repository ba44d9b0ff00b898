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

/// Functions for text that has to fit into columns of a terminal.
enum ColumnText {
    /// Returns the largest number of columns that a text may take.
    ///
    /// Terminals differ. From the Hangul letters on, each scalar outside U+1E00 to U+20CF counts as wide, to be safe.
    static func columns(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// Returns the longest beginning of a text that fits.
    static func beginning(of text: String, columns: Int) -> String {
        String(String.UnicodeScalarView(fitting(text.unicodeScalars, columns)))
    }

    /// Returns the longest end of a text that fits, after three points if something is missing.
    static func end(of text: String, columns: Int) -> String {
        guard self.columns(of: text) > columns else { return text }
        let points = String(repeating: ".", count: max(0, min(3, columns)))
        let end = fitting(text.unicodeScalars.reversed(), columns - points.count)
        return points + String(String.UnicodeScalarView(end.reversed()))
    }

    /// Returns a text in pieces, each as long as fits; a letter wider than the columns has a piece of its own.
    static func pieces(of text: String, columns: Int) -> [String] {
        var pieces: [String.UnicodeScalarView] = []
        var rest = 0
        for scalar in text.unicodeScalars {
            let width = self.columns(of: scalar)
            if pieces.isEmpty || width > rest {
                pieces.append(String.UnicodeScalarView())
                rest = columns
            }
            pieces[pieces.count - 1].append(scalar)
            rest -= width
        }
        return pieces.map { String($0) }
    }

    private static func fitting(_ scalars: some Sequence<Unicode.Scalar>, _ columns: Int) -> [Unicode.Scalar] {
        var rest = columns
        return scalars.prefix { scalar in
            rest -= self.columns(of: scalar)
            return rest >= 0
        }.map { $0 }
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        scalar.value < 0x1100 || (0x1E00...0x20CF).contains(scalar.value) ? 1 : 2
    }
}

/// Formats moments of a video for people.
enum TimeCode {
    /// Returns minutes, seconds and tenths, after the hours if there are any.
    static func text(_ moment: Duration) -> String {
        let tenths = Int((moment / .milliseconds(100)).rounded(.down))
        let (hours, minutes, seconds) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60)
        let rest = "\(twoDigits(minutes)):\(twoDigits(seconds)).\(tenths % 10)"
        return hours > 0 ? "\(hours):\(rest)" : rest
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
