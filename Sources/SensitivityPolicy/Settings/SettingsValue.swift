// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A value of a settings file, in the types of JSON (RFC 8259).
///
/// Reading and writing use the same value, so a change keeps members that this version does not know.
package enum SettingsValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number of up to 38 digits, so a change keeps the digits of numbers that this version does not know.
    case number(Decimal)
    case string(String)
    case array([SettingsValue])
    case object([String: SettingsValue])

    /// Reads a settings file's text.
    ///
    /// - Throws: `SettingsError` for text that is no JSON, is nested deeper than ``SettingsStructure/maximumDepth``, or
    ///   contains a member of an object twice.
    package init(parsing text: String) throws(SettingsError) {
        // Foundation's two parsers disagree about a duplicate member: one takes the first value, the other the last.
        let structure = try SettingsStructure(of: text)
        do {
            self = try JSONDecoder().decode(SettingsValue.self, from: Data(text.utf8))
        } catch {
            throw SettingsError("is not valid JSON: \(Self.fault(of: text))")
        }
        if let duplicate = structure.firstDuplicate {
            throw SettingsError("has \"\(duplicate)\" twice in one object; remove one of the two")
        }
    }

    /// The JSON text for a settings file, with members in alphabetical order and a line feed at its end.
    package var text: String {
        get throws(SettingsError) {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            do {
                return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
            } catch {
                throw SettingsError("holds a value that JSON cannot express")
            }
        }
    }

    /// Sets a member to true or false, and creates the missing objects on the path to it; nil removes the member.
    ///
    /// - Parameter path: the names of the objects on the path, from the outermost on.
    /// - Throws: `SettingsError` if a value on the path is no object.
    package mutating func set(_ key: String, to value: Bool?, in path: some Collection<String>) throws(SettingsError) {
        guard case .object(var members) = self else { throw SettingsError("is no object, { }") }
        if let name = path.first {
            // Where nothing is on the path, there is nothing to remove.
            guard members[name] != nil || value != nil else { return }
            var inner = members[name] ?? .object([:])
            guard case .object = inner else {
                throw SettingsError("has a value for \"\(name)\" that is no object, { }")
            }
            try inner.set(key, to: value, in: path.dropFirst())
            members[name] = inner
        } else {
            members[key] = value.map { .bool($0) }
        }
        self = .object(members)
    }

    /// Whether a path of members leads to a value.
    ///
    /// - Parameter path: the names of the members on the path, from the outermost on.
    package func hasValue(at path: some Collection<String>) -> Bool {
        guard let name = path.first else { return true }
        guard case .object(let members) = self, let inner = members[name] else { return false }
        return inner.hasValue(at: path.dropFirst())
    }

    /// Returns the position at which Foundation's other parser stopped, and the remedy.
    private static func fault(of text: String) -> String {
        let words: String
        do {
            _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            return "it has a number that is too large or too small. Write another one"
        } catch {
            words = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? ""
        }
        if words.contains("end of file") {
            return "it ends too early. Close every bracket and quotation mark"
        }
        guard let position = words.split(whereSeparator: { !$0.isNumber }).last.flatMap({ Int($0) }) else {
            return "it is no object. Write it within { }"
        }
        let lines = text.utf8.prefix(position).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let column = (lines.last?.count ?? 0) + 1
        return "a value cannot be understood near line \(lines.count), column \(column). Mend that line"
    }
}

extension SettingsValue: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .number(value)
        } else if let values = try? container.decode([SettingsValue].self) {
            self = .array(values)
        } else {
            self = .object(try container.decode([String: SettingsValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
