// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A kind of sensitive content.
///
/// A new case needs a row in each `switch` of `InterventionKit`'s `ContentType+Rules` and of the command's
/// `TestPatternFormat`, and a constant of the public type. The compiler reports each `switch` without a row.
package enum ContentType: String, Sendable, CaseIterable {
    /// Nudity or sexually explicit material.
    case sexuallyExplicit
    /// Gore or graphic violence.
    case goreOrViolence

    /// The names of all content types, for messages.
    package static func names(joinedBy separator: String) -> String {
        allCases.map(\.rawValue).joined(separator: separator)
    }
}

extension ContentType: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ContentType: Codable {
    /// Reads the name of a content type.
    ///
    /// - Throws: `UnknownName`.
    package init(from decoder: any Decoder) throws {
        guard let type = ContentType(rawValue: try decoder.singleValueContainer().decode(String.self)) else {
            throw UnknownName()
        }
        self = type
    }

    /// The error for a name that no content type has.
    package struct UnknownName: Error, CustomStringConvertible {
        package var description: String {
            "contentType must be one of \(ContentType.names(joinedBy: ", "))"
        }
    }
}

extension ContentType {
    /// The text of the test pattern that stands for this type; `scripts/generate-test-pattern` has it too.
    package var testPatternText: String { "sensitive-content-analysis:test:\(rawValue)" }
}
