// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// One JSON object on one line, with its members in the order in which they are added.
struct JSONObject {
    private var members: [String] = []

    mutating func add(_ name: String, _ value: String) {
        members.append("\(Self.quoted(name)):\(Self.quoted(value))")
    }

    mutating func add(_ name: String, _ value: Int) {
        members.append("\(Self.quoted(name)):\(value)")
    }

    /// Adds a number with four decimals: scores agree between machines to about the third.
    mutating func add(_ name: String, _ value: Float) {
        members.append("\(Self.quoted(name)):\(Double((Double(value) * 10_000).rounded() / 10_000))")
    }

    /// Adds a moment or a length in seconds, with three decimals.
    mutating func add(_ name: String, _ duration: Duration) {
        members.append("\(Self.quoted(name)):\((duration / .seconds(1) * 1000).rounded() / 1000)")
    }

    mutating func add(_ name: String, _ values: [String]) {
        members.append("\(Self.quoted(name)):[\(values.map(Self.quoted).joined(separator: ","))]")
    }

    mutating func add(_ name: String, _ object: JSONObject) {
        members.append("\(Self.quoted(name)):\(object.text)")
    }

    var text: String { "{\(members.joined(separator: ","))}" }

    /// Source: RFC 8259, section 7.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
