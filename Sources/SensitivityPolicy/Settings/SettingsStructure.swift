// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The nesting and the member names of a JSON text, which is scanned before Foundation parses it.
///
/// Foundation does not report a duplicate member, and keeps one of the two. It also accepts a comma before a closing
/// bracket. This scan reads strings and punctuation only. Foundation checks the rest of the syntax.
struct SettingsStructure {
    /// The largest depth of nested objects and lists.
    static let maximumDepth = 32

    /// The first name that one object contains twice, or nil.
    private(set) var firstDuplicate: String?

    /// - Throws: `SettingsError` if objects or lists are nested too deep, or a comma stands before a closing bracket.
    init(of text: String) throws(SettingsError) {
        var names: [Set<String>] = []
        var lastString: [UInt8] = []
        var previous: UInt8 = 0
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            if Self.isSpace(byte) { continue }
            defer { previous = byte }
            switch byte {
            case UInt8(ascii: "\""):
                lastString = Self.string(&bytes)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard names.count < Self.maximumDepth else {
                    throw SettingsError(
                        "has objects or lists that lie more than \(Self.maximumDepth) deep; remove what is no setting")
                }
                names.append([])
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard previous != UInt8(ascii: ",") else {
                    throw SettingsError("is not valid JSON: a comma stands before a closing bracket. Remove the comma")
                }
                _ = names.popLast()
            case UInt8(ascii: ":") where firstDuplicate == nil && !names.isEmpty:
                let name = Self.decoded(lastString)
                if !names[names.count - 1].insert(name).inserted { firstDuplicate = name }
            default: break
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        [UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t")].contains(byte)
    }

    /// Reads the bytes of a string after its first quotation mark, with escapes as they are.
    private static func string(_ bytes: inout String.UTF8View.Iterator) -> [UInt8] {
        var content: [UInt8] = []
        while let byte = bytes.next(), byte != UInt8(ascii: "\"") {
            content.append(byte)
            if byte == UInt8(ascii: "\\"), let escaped = bytes.next() { content.append(escaped) }
        }
        return content
    }

    /// Returns the text of a string without escapes, because `\u0061` and `a` are the same name.
    private static func decoded(_ content: [UInt8]) -> String {
        guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        let quoted = Data([UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")])
        return (try? JSONDecoder().decode(String.self, from: quoted)) ?? String(decoding: content, as: UTF8.self)
    }
}
