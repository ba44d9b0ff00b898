// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Text that has to fit into columns of a terminal.
enum ColumnText {
    /// As many columns as a text may take.
    ///
    /// Terminals differ. From the Hangul letters on, each scalar counts as wide, so that a text never takes more.
    static func columns(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// As much of the beginning of a text as fits.
    static func beginning(of text: String, columns: Int) -> String {
        String(String.UnicodeScalarView(fitting(text.unicodeScalars, columns)))
    }

    /// As much of the end of a text as fits, with three points where something is missing.
    static func end(of text: String, columns: Int) -> String {
        guard self.columns(of: text) > columns else { return text }
        let points = String(repeating: ".", count: max(0, min(3, columns)))
        let end = fitting(text.unicodeScalars.reversed(), columns - points.count)
        return points + String(String.UnicodeScalarView(end.reversed()))
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
