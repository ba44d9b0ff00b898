// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Recognises the part of TOML in which settings are written, before a parser sees the text.
///
/// It knows no values. It is here because toml++ 3.4, which TOMLKit contains, ends the process where it should refuse: at
/// `[.a]`, for example, and at `a = [}`. What is refused beyond TOML is what no setting is: texts of several lines.
/// Source of the grammar: TOML 1.0.0, https://toml.io/en/v1.0.0.
struct SettingsGrammar {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    /// - Throws: `SettingsError` with the line.
    static func check(_ text: String) throws(SettingsError) {
        var grammar = SettingsGrammar(bytes: Array(text.utf8))
        try grammar.checkLines()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        // The mark that some editors begin files with.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    // MARK: Lines

    private mutating func checkLines() throws(SettingsError) {
        while position < bytes.count {
            skipBlanks()
            switch next {
            case "[": try checkHeader()
            case "#", "\r", "\n", nil: break
            default: try checkPair(depth: 0)
            }
            skipBlanks()
            try checkLineEnd()
        }
    }

    private mutating func checkHeader() throws(SettingsError) {
        try take("[")
        let isList = next == "["
        if isList { try take("[") }
        skipBlanks()
        try checkKey()
        try take("]")
        if isList { try take("]") }
    }

    private mutating func checkLineEnd() throws(SettingsError) {
        if next == "#" { try skipComment() }
        if next == "\r" { try take("\r") }
        if position < bytes.count { try take("\n") }
    }

    private mutating func skipComment() throws(SettingsError) {
        while let next, next != "\n", next != "\r" { try takeText(next) }
    }

    // MARK: Keys and values

    private mutating func checkPair(depth: Int) throws(SettingsError) {
        try checkKey()
        try take("=")
        skipBlanks()
        try checkValue(depth: depth + 1)
    }

    /// Names with points between them, and the white space behind.
    private mutating func checkKey() throws(SettingsError) {
        while true {
            if next == "\"" || next == "'" {
                try checkString()
            } else {
                try takeAll(where: Self.isOfName)
            }
            skipBlanks()
            guard next == "." else { return }
            try take(".")
            skipBlanks()
        }
    }

    private mutating func checkValue(depth: Int) throws(SettingsError) {
        guard depth <= Self.mostDepth else { throw refusal("lists or tables lie too deep in each other") }
        switch next {
        case "\"", "'": try checkString()
        case "[": try checkList(depth: depth)
        case "{": try checkInlineTable(depth: depth)
        // Numbers, dates and truth; the parser knows which of them are right.
        default: try takeAll { Self.isOfName($0) || $0 == "+" || $0 == "." || $0 == ":" }
        }
    }

    private mutating func checkString() throws(SettingsError) {
        let quote = next ?? "\""
        try take(quote)
        while let next, next != quote {
            try takeText(next)
            // Whatever is escaped, if it is a quotation mark it does not end the text.
            if quote == "\"", next == "\\", let escaped = self.next { try takeText(escaped) }
        }
        try take(quote)
        if position >= 2, next == quote, bytes[position - 2] == bytes[position - 1] {
            throw refusal("no setting is a text of several lines, \(quote)\(quote)\(quote)")
        }
    }

    private mutating func checkList(depth: Int) throws(SettingsError) {
        try take("[")
        try skipLines()
        while next != "]" {
            try checkValue(depth: depth + 1)
            try skipLines()
            guard next == "," else { break }
            try take(",")
            try skipLines()
        }
        try take("]")
    }

    private mutating func checkInlineTable(depth: Int) throws(SettingsError) {
        try take("{")
        skipBlanks()
        if next != "}" {
            try checkPair(depth: depth)
            skipBlanks()
            while next == "," {
                try take(",")
                skipBlanks()
                try checkPair(depth: depth)
                skipBlanks()
            }
        }
        try take("}")
    }

    // MARK: Characters

    private var next: Unicode.Scalar? { position < bytes.count ? Unicode.Scalar(bytes[position]) : nil }

    private mutating func take(_ character: Unicode.Scalar) throws(SettingsError) {
        guard next == character else { throw unexpected() }
        position += 1
        if character == "\n" { line += 1 }
    }

    /// Takes one byte of a text or a comment.
    private mutating func takeText(_ byte: Unicode.Scalar) throws(SettingsError) {
        guard byte.value >= 0x20 && byte.value != 0x7F || byte == "\t" else { throw unexpected() }
        position += 1
    }

    private mutating func takeAll(where isPart: (Unicode.Scalar) -> Bool) throws(SettingsError) {
        guard let first = next, isPart(first) else { throw unexpected() }
        while let next, isPart(next) { position += 1 }
    }

    private mutating func skipBlanks() {
        while next == " " || next == "\t" { position += 1 }
    }

    /// Skips white space, the ends of lines and comments, as there may be in lists.
    private mutating func skipLines() throws(SettingsError) {
        while true {
            skipBlanks()
            guard next == "#" || next == "\r" || next == "\n" else { return }
            try checkLineEnd()
        }
    }

    private static func isOfName(_ character: Unicode.Scalar) -> Bool {
        switch character {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }

    private func unexpected() -> SettingsError {
        guard let next else { return refusal("the text ends too early") }
        return refusal(
            next == "\n" || next == "\r" ? "something is missing" : "\(next.debugDescription) is out of place")
    }

    private func refusal(_ words: String) -> SettingsError {
        SettingsError("is not valid TOML: in line \(line), \(words)")
    }

    private static let mostDepth = 16
}
