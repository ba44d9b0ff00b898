// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Changes single values of a settings file and leaves the rest as it is, byte for byte: the comments and the order are
/// the person's own.
enum SettingsEditor {
    /// Sets a switch.
    ///
    /// - Parameters:
    ///   - key: its name.
    ///   - table: the names of the table that holds it, from the outermost on; none for the top of the file.
    /// - Throws: `SettingsError` where the text would not mean exactly this afterwards.
    static func setting(
        _ key: String, to value: Bool, in table: [String] = [], of text: String
    ) throws(SettingsError) -> String {
        let before = try SettingsTable(parsing: text)
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        let ending = lines.first?.unicodeScalars.last == "\r" ? "\r" : ""
        let header = "[\(table.map(quoted).joined(separator: "."))]"
        let start = table.isEmpty ? 0 : lines.firstIndex { names(ofHeader: $0) == table }.map { $0 + 1 }
        if let start {
            let end = lines[start...].firstIndex { isHeader($0) } ?? lines.endIndex
            if let index = lines[start..<end].firstIndex(where: { Self.key(of: $0) == key }) {
                lines[index] = replacing(lines[index], by: value)
            } else {
                // Behind the last line of the table, before what parts it from the next one.
                let last = lines[start..<end].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
                lines.insert("\(quoted(key)) = \(value)\(ending)", at: last)
                if last == lines.endIndex - 1 { lines.append("") }
            }
        } else {
            while lines.last.map(isBlank) == true { lines.removeLast() }
            if !lines.isEmpty { lines.append(ending) }
            lines += ["\(header)\(ending)", "\(quoted(key)) = \(value)\(ending)", ""]
        }
        let changed = lines.joined(separator: "\n")
        guard try SettingsTable(parsing: changed).equals(before, with: value, at: table + [key]) else {
            throw SettingsError("cannot be changed without touching more than \"\(key)\"; change it by hand")
        }
        return changed
    }

    private static func isBlank(_ line: String) -> Bool {
        line.unicodeScalars.allSatisfy { " \t\r".unicodeScalars.contains($0) }
    }

    private static func isHeader(_ line: String) -> Bool { line.drop { $0 == " " || $0 == "\t" }.hasPrefix("[") }

    /// The names in a line such as `[apps]`, or nil where it is none.
    private static func names(ofHeader line: String) -> [String]? {
        guard isHeader(line), let table = try? SettingsTable(parsing: line + "\n") else { return nil }
        return table.onlyPath
    }

    /// The key in a line such as `test-mode = true # for the demonstration`.
    private static func key(of line: String) -> String? {
        guard let path = try? SettingsTable(parsing: line + "\n").onlyPath, path.count == 1 else { return nil }
        return path[0]
    }

    /// The line with another value; its key, its comment and its spaces stay.
    private static func replacing(_ line: String, by value: Bool) -> String {
        guard let equals = line.firstIndex(of: "="),
            let start = line[line.index(after: equals)...].firstIndex(where: { $0 != " " && $0 != "\t" })
        else { return line }
        let end = line[start...].firstIndex { !$0.isLetter } ?? line.endIndex
        return "\(line[..<start])\(value)\(line[end...])"
    }

    private static func quoted(_ name: String) -> String {
        let isBare =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        if isBare { return name }
        let escaped = name.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                "\\u" + String(String(0x10000 + scalar.value, radix: 16).dropFirst())
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
