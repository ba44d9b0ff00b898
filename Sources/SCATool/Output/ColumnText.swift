// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

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
