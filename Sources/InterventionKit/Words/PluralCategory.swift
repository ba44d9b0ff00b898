// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A grammatical class of numbers, such as `one`, for which a text has a form of its own.
///
/// Source: Unicode CLDR, plural rules for cardinal numbers (TR35, part 3).
package enum PluralCategory: String, Sendable, Hashable, CaseIterable {
    case zero
    case one
    case two
    case few
    case many
    case other

    /// Creates the category of a number in a language, by the rules for the languages of this package's catalogue.
    ///
    /// In any other language, 1 is `one` and all other numbers are `other`, which is the most common rule.
    package init(of count: Int, in language: String) {
        switch language.prefix(2) {
        case "es" where count != 0 && count.isMultiple(of: 1_000_000): self = .many
        default: self = count == 1 ? .one : .other
        }
    }
}
