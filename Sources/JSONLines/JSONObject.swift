// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// One JSON object on one line, with its members in the order in which they are added.
struct JSONObject {
    private var members: [String] = []

    mutating func add(_ name: String, _ value: String) { add(name, json: Self.quoted(value)) }
    mutating func add(_ name: String, _ value: Int) { add(name, json: "\(value)") }
    mutating func add(_ name: String, _ value: Bool) { add(name, json: "\(value)") }

    /// Adds a score, rounded to four decimals, because scores of two machines agree to about the third decimal.
    mutating func add(_ name: String, _ value: Float) {
        add(name, json: "\(Double((Double(value) * 10_000).rounded() / 10_000))")
    }

    /// Adds a moment or a length of time in seconds, rounded to three decimals.
    mutating func add(_ name: String, _ duration: Duration) {
        add(name, json: "\((duration / .seconds(1) * 1000).rounded() / 1000)")
    }

    mutating func add(_ name: String, _ values: [String]) {
        add(name, json: "[\(values.map(Self.quoted).joined(separator: ","))]")
    }

    mutating func add(_ name: String, _ object: JSONObject) { add(name, json: object.text) }

    mutating func add(_ name: String, _ objects: [JSONObject]) {
        add(name, json: "[\(objects.map(\.text).joined(separator: ","))]")
    }

    private mutating func add(_ name: String, json: String) { members.append("\(Self.quoted(name)):\(json)") }

    var text: String { "{\(members.joined(separator: ","))}" }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        return scalar.value <= 0xFFFF && [.format, .lineSeparator, .paragraphSeparator].contains(category)
    }

    /// Quotes a text; source: RFC 8259, section 7.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            // Control characters, and characters that change the order of the text around them on a terminal.
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || Self.isInvisible(scalar):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
