// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SensitivityPolicy

@Suite("A value of a settings file")
struct SettingsValueTests {
    private static func setting(_ key: String, in path: [String] = [], of text: String) throws -> SettingsValue {
        var value = try SettingsValue(parsing: text)
        try value.set(key, to: true, in: path)
        return try SettingsValue(parsing: value.text)
    }

    @Test("A switch is set at the top of a file, and every other member stays")
    func top() throws {
        let value = try Self.setting(
            "a", of: #"{"z": [1, 2.5, null, {"x": "é\n\"/"}], "a": false, "n": -9007199254740993}"#)
        #expect(
            value
                == .object([
                    "z": .array([.number(1), .number(2.5), .null, .object(["x": .string("é\n\"/")])]),
                    "a": .bool(true), "n": .number(-9_007_199_254_740_993),
                ]))
    }

    @Test("A number that no version knows is written as the same number")
    func numbers() throws {
        let numbers = ["18446744073709551615", "0.1", "12345678901234567890123456789.25", "-9007199254740993"]
        for number in numbers {
            var value = try SettingsValue(parsing: #"{"n": \#(number)}"#)
            try value.set("a", to: true, in: [])
            #expect(try value.text.contains(#""n" : \#(number)"#), "\(number)")
        }
    }

    @Test("Objects that lead to a switch are made where they are missing, and kept where they are there")
    func objects() throws {
        #expect(
            try Self.setting("safety", in: ["accounts", "kim"], of: "{}")
                == .object(["accounts": .object(["kim": .object(["safety": .bool(true)])])]))
        #expect(
            try Self.setting("safety", in: ["accounts"], of: #"{"accounts": {"lee": 1}}"#)
                == .object(["accounts": .object(["lee": .number(1), "safety": .bool(true)])]))
    }

    @Test("A path through a value that is no object is refused")
    func impossible() {
        for text in [#"{"t": 1}"#, #"{"t": [{}]}"#, "[]", "true"] {
            #expect(throws: SettingsError.self) { try Self.setting("a", in: ["t"], of: text) }
        }
    }

    @Test("A file is written with members in alphabetical order and paths as they are")
    func text() throws {
        var value = SettingsValue.object(["b": .bool(false)])
        try value.set("/opt/a \"b\"", to: true, in: ["a"])
        #expect(
            try value.text == """
                {
                  "a" : {
                    "/opt/a \\"b\\"" : true
                  },
                  "b" : false
                }

                """)
    }

    @Test(
        "A member that is there twice in one object is refused, however its name is written",
        arguments: [
            (#"{"a": true, "a": true}"#, "a"), (#"{"a": true, "b": 1, "a": true}"#, "a"),
            (#"{"x": [{"a": 1}, {"b": {"c": 1, "c": 1}}]}"#, "c"), (#"{"a": true, "\u0061": false}"#, "a"),
            (#"{"a": {"b": 1}, "a": {"b": 2}}"#, "a"), (#"{"a\"": 1, "a\"": 2}"#, "a\""),
            ("{\"e\u{301}\": 1, \"\u{e9}\": 2}", "é"), (#"{"": 1, "": 2}"#, ""),
        ])
    func duplicates(text: String, name: String) {
        #expect(throws: SettingsError("has \"\(name)\" twice in one object; remove one of the two")) {
            try SettingsValue(parsing: text)
        }
    }

    @Test(
        "The same name in two objects, or in a text, is no duplicate",
        arguments: [
            #"{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}"#, #"{"a": "a\": 1, \"a\": 2", "b": "{a: a:"}"#, "{}",
        ])
    func noDuplicates(text: String) throws {
        _ = try SettingsValue(parsing: text)
    }

    @Test("Objects and lists may lie 32 deep, and no deeper")
    func depth() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        _ = try SettingsValue(parsing: nested(32))
        let fault = SettingsError("has objects or lists that lie more than 32 deep; remove what is no setting")
        for text in [nested(33), nested(100_000), String(repeating: #"{"a":"#, count: 33)] {
            #expect(throws: fault) { try SettingsValue(parsing: text) }
        }
    }

    @Test(
        "A text that is not exactly one JSON value is refused",
        arguments: [
            "", " ", "{", "}", #"{"a": }"#, #"{"a": 1,}"#, "[1, \n]", "{a: 1}", "{} {}", "// note\n{}", #"{"a": NaN}"#,
            "{'a': 1}",
            #"{"a": tru}"#, #"{"a": "\x"}"#, "{\"a\": \"\n\"}", #"{"a": 1e999}"#, #"{"a" 1}"#, #"{"a": 01}"#, "nul",
        ])
    func syntax(text: String) {
        #expect {
            try SettingsValue(parsing: text)
        } throws: {
            "\($0)".hasPrefix("is not valid JSON: ")
        }
    }
}
