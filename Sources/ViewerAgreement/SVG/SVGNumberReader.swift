// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Reads numbers one after the other, as in the data of a path.
///
/// Source: Scalable Vector Graphics 1.1, section 8.3.9.
struct SVGNumberReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
        skipSpaces()
    }

    /// Whether nothing but spaces follows.
    var isAtEnd: Bool { position == bytes.count }

    private mutating func skipSpaces() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    /// Returns the next letter of a command, or nil if another character follows.
    mutating func letter() -> UInt8? {
        guard position < bytes.count, isAtLetter else { return nil }
        let letter = bytes[position]
        position += 1
        skipSpaces()
        return letter
    }

    /// Returns the next number, before which a comma may stand unless it is the first; nil if none follows.
    ///
    /// - Parameter isFlag: whether the number is one digit, 0 or 1.
    mutating func number(isFirst: Bool, isFlag: Bool = false) -> Double? {
        if !isFirst, position < bytes.count, bytes[position] == 0x2C {
            position += 1
            skipSpaces()
        }
        let start = position
        if isFlag {
            guard position < bytes.count, bytes[position] == 0x30 || bytes[position] == 0x31 else { return nil }
            position += 1
        } else {
            if position < bytes.count, bytes[position] == 0x2B || bytes[position] == 0x2D { position += 1 }
            skipDigits()
            if position < bytes.count, bytes[position] == 0x2E {
                position += 1
                skipDigits()
            }
            if position + 1 < bytes.count, bytes[position] | 0x20 == 0x65, Self.beginsNumber(bytes[position + 1]) {
                position += 2
                skipDigits()
            }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        skipSpaces()
        return SVGValue.number(text)
    }

    private mutating func skipDigits() {
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    }

    private static func beginsNumber(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte == 0x2B || byte == 0x2D
    }

    // MARK: Paths

    /// Returns whether a text is the data of a path, without a mistake; it may be empty.
    static func isPath(_ text: String) -> Bool {
        var reader = SVGNumberReader(text)
        var isFirst = true
        while !reader.isAtEnd {
            guard let letter = reader.letter(), !isFirst || letter | 0x20 == 0x6D else { return false }
            isFirst = false
            guard let count = counts[letter | 0x20] else { return false }
            if count == 0 { continue }
            var isFirstNumber = true
            repeat {
                for index in 0..<count {
                    let isFlag = letter | 0x20 == 0x61 && (index == 3 || index == 4)
                    guard let number = reader.number(isFirst: isFirstNumber, isFlag: isFlag) else { return false }
                    // Arcs of no size are lines, and negative ones are read in several ways.
                    if letter | 0x20 == 0x61, index < 2, number <= 0 { return false }
                    isFirstNumber = false
                }
            } while !reader.isAtEnd && !reader.isAtLetter
        }
        return true
    }

    private var isAtLetter: Bool { (0x61...0x7A).contains(bytes[position] | 0x20) }

    /// The count of numbers of each command, by its small letter.
    private static let counts: [UInt8: Int] = [
        0x6D: 2, 0x6C: 2, 0x68: 1, 0x76: 1, 0x63: 6, 0x73: 4, 0x71: 4, 0x74: 2, 0x61: 7, 0x7A: 0,
    ]
}
