// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A class of numbers that take the same form of a text.
///
/// Source: Unicode CLDR, plural rules for cardinal numbers (TR35, part 3).
package enum PluralCategory: String, Sendable, Hashable, CaseIterable {
    case zero
    case one
    case two
    case few
    case many
    case other

    /// The category of a number of things in a language, by the rules of the languages of this package's catalogue.
    ///
    /// In any other language one thing is `one` and all else `other`, which is the commonest rule.
    package init(of count: Int, in language: String) {
        switch language.prefix(2) {
        case "es" where count != 0 && count.isMultiple(of: 1_000_000): self = .many
        default: self = count == 1 ? .one : .other
        }
    }
}
