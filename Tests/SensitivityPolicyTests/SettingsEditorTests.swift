// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SensitivityPolicy

@Suite("Changing settings")
struct SettingsEditorTests {
    @Test(
        "leaves everything else byte for byte",
        arguments: [
            ("", "a = true\n"),
            ("a = false", "a = true"),
            ("a = true\n", "a = true\n"),
            ("# mine\n\n  a   =\tfalse   # why\nb = [1,\n 2]\n", "# mine\n\n  a   =\ttrue   # why\nb = [1,\n 2]\n"),
            ("\"a\" = false\n", "\"a\" = true\n"),
            ("b = 1\n\n# apps\n[apps]\na = false\n", "b = 1\na = true\n\n# apps\n[apps]\na = false\n"),
            ("b = 1\n\n\n", "b = 1\na = true\n\n\n"),
            ("# head\n\n[t]\n", "a = true\n# head\n\n[t]\n"),
            ("b = 1\r\na = false\r\n", "b = 1\r\na = true\r\n"),
            ("b = 1\r\n", "b = 1\r\na = true\r\n"),
            ("b = 1", "b = 1\na = true\n"),
            ("[t]\nx = 1\n", "a = true\n[t]\nx = 1\n"),
        ])
    func top(old: String, new: String) throws {
        #expect(try SettingsEditor.setting("a", to: true, of: old) == new)
    }

    @Test(
        "finds and makes tables",
        arguments: [
            ("", "[t]\na = true\n"),
            ("b = 1\n", "b = 1\n\n[t]\na = true\n"),
            ("[t]\n", "[t]\na = true\n"),
            ("[ t ] # apps\n\n[u]\na = false\n", "[ t ] # apps\na = true\n\n[u]\na = false\n"),
            ("[u]\na = false\n[t]\nc = 1\na = false\n", "[u]\na = false\n[t]\nc = 1\na = true\n"),
            ("[[h]]\na = false\n[t]\na = false", "[[h]]\na = false\n[t]\na = true"),
            ("t.a = false # why\n", "t.a = true # why\n"),
            ("b = 1\n\n\n", "b = 1\n\n\n\n[t]\na = true\n"),
            ("[t]\nb = [1,\n2]\n# end\n", "[t]\nb = [1,\n2]\na = true\n# end\n"),
        ])
    func tables(old: String, new: String) throws {
        #expect(try SettingsEditor.setting("a", to: true, in: ["t"], of: old) == new)
    }

    @Test("finds the value behind a name that holds an equals sign")
    func equalsSign() throws {
        let text = "[apps]\n\"a=true\" = false # = false\n"
        #expect(
            try SettingsEditor.setting("a=true", to: true, in: ["apps"], of: text)
                == "[apps]\n\"a=true\" = true # = false\n")
    }

    @Test("quotes names that need it")
    func names() throws {
        let name = "/opt/a \"b\"\\c\n"
        let text = try SettingsEditor.setting(name, to: false, in: ["accounts", "kim lee"], of: "")
        #expect(text == "[accounts.\"kim lee\"]\n\"/opt/a \\\"b\\\"\\\\c\\u000a\" = false\n")
        #expect(
            try SettingsEditor.setting(name, to: true, in: ["accounts", "kim lee"], of: text).hasSuffix("= true\n"))
    }

    @Test(
        "gives up rather than change something else",
        arguments: [
            "t = { a = false }\n", "s = \"\"\"\n[t]\na = false\n\"\"\"\n", "t = 1\n", "[t\n",
            "[[t]]\na = false\n",
        ])
    func impossible(text: String) {
        #expect(throws: SettingsError.self) { try SettingsEditor.setting("a", to: true, in: ["t"], of: text) }
    }
}
