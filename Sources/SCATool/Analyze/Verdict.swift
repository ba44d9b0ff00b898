// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// A verdict as an argument and a word of the command.
enum Verdict: String, ExpressibleByArgument, CaseIterable, Sendable {
    case sensitive
    case unknown
    case notSensitive = "not-sensitive"

    init?(argument: String) {
        // The name in JSON lines is accepted too.
        self.init(rawValue: argument == "notSensitive" ? Self.notSensitive.rawValue : argument)
    }

    /// The name in JSON lines and tables of values.
    var memberName: String { self == .notSensitive ? "notSensitive" : rawValue }
}
