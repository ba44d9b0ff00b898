// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A kind of sensitive content.
package struct ContentType: RawRepresentable, Hashable, Sendable, Comparable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Nudity or sexually explicit material.
    package static let sexuallyExplicit = ContentType(rawValue: "sexuallyExplicit")
    /// Gore or graphic violence.
    package static let goreOrViolence = ContentType(rawValue: "goreOrViolence")

    /// The types that a model's manifest may name.
    package static let known: [ContentType] = [.sexuallyExplicit, .goreOrViolence]

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
