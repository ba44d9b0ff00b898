// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import TOMLKit

/// A table of a settings file, read strictly: a misspelt key must not pass for a protection that is switched on.
struct SettingsTable {
    private let table: TOMLTable
    /// Where in the file it stands, for messages; empty for the whole.
    private let name: String

    /// - Throws: `SettingsError` with the line.
    init(parsing text: String) throws(SettingsError) {
        try SettingsGrammar.check(text)
        do {
            table = try TOMLTable(string: text)
            name = ""
        } catch {
            throw SettingsError("is not valid TOML: \(error)")
        }
    }

    private init(_ table: TOMLTable, _ name: String) {
        self.table = table
        self.name = name
    }

    /// The keys, in alphabetical order.
    var keys: [String] { table.keys.sorted() }

    /// - Throws: `SettingsError` naming the first key that is none of these.
    func requireNoKeys(but known: Set<String>) throws(SettingsError) {
        for key in keys where !known.contains(key) {
            throw SettingsError(
                "has \"\(place(key))\", which is no setting; \(known.sorted().joined(separator: ", ")) are")
        }
    }

    func bool(_ key: String) throws(SettingsError) -> Bool? {
        guard let value = table[key] else { return nil }
        guard value.type == .bool, let bool = value.bool else {
            throw SettingsError("has a value for \"\(place(key))\" that is neither true nor false")
        }
        return bool
    }

    func string(_ key: String) throws(SettingsError) -> String? {
        guard let value = table[key] else { return nil }
        guard value.type == .string, let string = value.string else {
            throw SettingsError("has a value for \"\(place(key))\" that is not text in quotation marks")
        }
        return string
    }

    func requiredString(_ key: String) throws(SettingsError) -> String {
        guard let string = try string(key) else { throw SettingsError("lacks \"\(place(key))\"") }
        return string
    }

    func table(_ key: String) throws(SettingsError) -> SettingsTable? {
        guard let value = table[key] else { return nil }
        guard value.type == .table, let inner = value.table else {
            throw SettingsError("has a value for \"\(place(key))\" that is no table, [\(place(key))]")
        }
        return SettingsTable(inner, place(key))
    }

    func tables(_ key: String) throws(SettingsError) -> [SettingsTable] {
        guard let value = table[key] else { return [] }
        guard value.type == .array, let array = value.array else {
            throw SettingsError("has a value for \"\(place(key))\" that is no list of tables, [[\(place(key))]]")
        }
        var tables: [SettingsTable] = []
        for element in array {
            guard element.type == .table, let inner = element.table else {
                throw SettingsError("has a value for \"\(place(key))\" that is no list of tables, [[\(place(key))]]")
            }
            tables.append(SettingsTable(inner, place(key)))
        }
        return tables
    }

    /// The names that lead to the only thing in the table, however deep it lies, or nil where there is more than one.
    var onlyPath: [String]? {
        var path: [String] = []
        var inner = table
        while true {
            guard inner.keys.count <= 1 else { return nil }
            guard let key = inner.keys.first else { return path }
            path.append(key)
            guard let value = inner[key] else { return path }
            // Headers such as [[help-links]] are of no table.
            if value.type == .array { return nil }
            guard value.type == .table, let next = value.table else { return path }
            inner = next
        }
    }

    /// Whether the table is another one but for a switch at a path.
    func equals(_ other: SettingsTable, with value: Bool, at path: [String]) -> Bool {
        guard let text = other.text(with: value, at: path), let wanted = try? SettingsTable(parsing: text) else {
            return false
        }
        return table == wanted.table
    }

    /// The table as new text, with a switch at a path.
    private func text(with value: Bool, at path: [String]) -> String? {
        guard let copy = try? TOMLTable(string: table.convert(to: .toml)), let key = path.last else { return nil }
        var inner = copy
        for name in path.dropLast() {
            if inner[name] == nil { inner[name] = TOMLTable() }
            guard let next = inner[name]?.table else { return nil }
            inner = next
        }
        inner[key] = value
        return copy.convert(to: .toml)
    }

    private func place(_ key: String) -> String { name.isEmpty ? key : "\(name).\(key)" }
}
