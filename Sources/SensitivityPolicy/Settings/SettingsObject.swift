// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A JSON object of a settings file; unknown names are refused, so that a misspelt setting is not taken for active.
struct SettingsObject {
    private let members: [String: SettingsValue]
    /// The position of the object in the file, for messages; empty for the whole file.
    private let name: String

    /// - Throws: `SettingsError` with the fault and its position.
    init(parsing text: String) throws(SettingsError) {
        guard case .object(let members) = try SettingsValue(parsing: text) else {
            throw SettingsError("is no object, { }")
        }
        self.members = members
        name = ""
    }

    private init(_ members: [String: SettingsValue], _ name: String) {
        self.members = members
        self.name = name
    }

    /// The names of the members, in alphabetical order.
    var keys: [String] { members.keys.sorted() }

    /// - Throws: `SettingsError` for the first member whose name is not in `known`.
    func requireNoKeys(but known: Set<String>) throws(SettingsError) {
        for key in keys where !known.contains(key) {
            throw SettingsError(
                "has \"\(place(key))\", which is no setting. Remove it, or use one of"
                    + " \(known.sorted().joined(separator: ", "))")
        }
    }

    func bool(_ key: String) throws(SettingsError) -> Bool? {
        switch members[key] {
        case nil: return nil
        case .bool(let value): return value
        default:
            throw SettingsError("has a value for \"\(place(key))\" that is neither true nor false. Write true or false")
        }
    }

    func string(_ key: String) throws(SettingsError) -> String? {
        switch members[key] {
        case nil: return nil
        case .string(let value): return value
        default: throw SettingsError("has a value for \"\(place(key))\" that is not text. Write it in quotation marks")
        }
    }

    func requiredString(_ key: String) throws(SettingsError) -> String {
        guard let string = try string(key) else { throw SettingsError("lacks \"\(place(key))\". Add it") }
        return string
    }

    func object(_ key: String) throws(SettingsError) -> SettingsObject? {
        switch members[key] {
        case nil: return nil
        case .object(let inner): return SettingsObject(inner, place(key))
        default: throw SettingsError("has a value for \"\(place(key))\" that is no object, { }")
        }
    }

    func objects(_ key: String) throws(SettingsError) -> [SettingsObject] {
        let fault = SettingsError("has a value for \"\(place(key))\" that is no list of objects, [{ }]")
        guard let value = members[key] else { return [] }
        guard case .array(let elements) = value else { throw fault }
        var objects: [SettingsObject] = []
        for (index, element) in elements.enumerated() {
            guard case .object(let inner) = element else { throw fault }
            objects.append(SettingsObject(inner, "\(place(key))[\(index)]"))
        }
        return objects
    }

    private func place(_ key: String) -> String { name.isEmpty ? key : "\(name).\(key)" }
}
