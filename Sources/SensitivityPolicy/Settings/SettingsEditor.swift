// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Changes single values of a settings file and leaves the rest as it is, byte for byte: the comments and the order are
/// the person's own.
package enum SettingsEditor {
    /// Sets a switch.
    ///
    /// - Parameters:
    ///   - key: its name.
    ///   - table: the names of the table that holds it, from the outermost on; none for the top of the file.
    /// - Throws: `SettingsError` where the text would not mean exactly this afterwards.
    package static func setting(
        _ key: String, to value: Bool, in table: [String] = [], of text: String
    ) throws(SettingsError) -> String {
        let before = try SettingsTable(parsing: text)
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        let ending = lines.first?.unicodeScalars.last == "\r" ? "\r" : ""
        if let (index, path) = place(of: table + [key], in: lines) {
            lines[index] = replacing(lines[index], at: path, by: value)
        } else if let end = end(of: table, in: lines) {
            lines.insert("\(quoted(key)) = \(value)\(ending)", at: end)
            if end == lines.endIndex - 1 { lines.append("") }
        } else {
            if lines.last.map(isBlank) == true { lines.removeLast() }
            if !lines.isEmpty { lines.append(ending) }
            let header = "[\(table.map(quoted).joined(separator: "."))]"
            lines += ["\(header)\(ending)", "\(quoted(key)) = \(value)\(ending)", ""]
        }
        let changed = lines.joined(separator: "\n")
        guard let after = try? SettingsTable(parsing: changed), after.equals(before, with: value, at: table + [key])
        else {
            throw SettingsError("cannot be changed without touching more than \"\(key)\"; change it by hand")
        }
        return changed
    }

    private static func isBlank(_ line: String) -> Bool {
        line.unicodeScalars.allSatisfy { " \t\r".unicodeScalars.contains($0) }
    }

    private static func isHeader(_ line: String) -> Bool { line.drop { $0 == " " || $0 == "\t" }.hasPrefix("[") }

    /// Where a setting stands, and by which names its own line calls it, as in `apps.chat = true`.
    private static func place(of path: [String], in lines: [String]) -> (index: Int, path: [String])? {
        var table: [String]? = []
        for (index, line) in lines.enumerated() {
            if isHeader(line) {
                table = names(in: line)
            } else if let table, path.starts(with: table), let own = names(in: line), table + own == path {
                return (index, own)
            }
        }
        return nil
    }

    /// The line behind the last setting of a table, or nil where it has no header.
    private static func end(of table: [String], in lines: [String]) -> Int? {
        var start = 0
        if !table.isEmpty {
            guard let header = lines.firstIndex(where: { isHeader($0) && names(in: $0) == table }) else { return nil }
            start = header + 1
        }
        let next = lines[start...].firstIndex { isHeader($0) } ?? lines.endIndex
        // What is in front of the next header may be about that.
        return lines[start..<next].lastIndex { !isBlank($0) && !isComment($0) }.map { $0 + 1 } ?? start
    }

    private static func isComment(_ line: String) -> Bool { line.drop { $0 == " " || $0 == "\t" }.hasPrefix("#") }

    /// The names in a line such as `[apps]` or `test-mode = true # for the demonstration`, or nil where it is neither.
    private static func names(in line: String) -> [String]? {
        guard let path = try? SettingsTable(parsing: line + "\n").onlyPath, !path.isEmpty else { return nil }
        return path
    }

    /// The line with another value; its key, its comment and its spaces stay.
    private static func replacing(_ line: String, at path: [String], by value: Bool) -> String {
        for equals in line.indices where line[equals] == "=" {
            let start = line[line.index(after: equals)...].firstIndex { $0 != " " && $0 != "\t" } ?? line.endIndex
            // The sign may also be within the quotation marks of a name.
            guard names(in: "\(line[...equals]) true") == path else { continue }
            let end = line[start...].firstIndex { !$0.isLetter } ?? line.endIndex
            return "\(line[..<start])\(value)\(line[end...])"
        }
        return line
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
