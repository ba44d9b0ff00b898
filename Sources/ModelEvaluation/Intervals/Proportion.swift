// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A share of counted files, such as the sensitivity at a threshold.
package struct Proportion: Sendable, Hashable {
    package var hits: Int
    package var count: Int

    package init(hits: Int, of count: Int) {
        self.hits = hits
        self.count = count
    }

    /// The share; nil of no files.
    package var value: Double? { count > 0 ? Double(hits) / Double(count) : nil }

    /// The 95 % score interval, for files that do not depend on each other; nil of no files.
    ///
    /// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
    /// American Statistical Association 22 (1927), 209-212.
    package var wilson: Interval? {
        guard let value else { return nil }
        let total = Double(count)
        let square = Self.deviation * Self.deviation
        let center = (value + square / (2 * total)) / (1 + square / total)
        let half =
            Self.deviation / (1 + square / total)
            * (value * (1 - value) / total + square / (4 * total * total)).squareRoot()
        // Rounding must not leave a share of none or all outside of its interval.
        return Interval(low: hits == 0 ? 0 : max(center - half, 0), high: hits == count ? 1 : min(center + half, 1))
    }

    /// The largest share that is compatible with no hit among so many files, at 95 % confidence; nil of no files.
    ///
    /// This is the exact one-sided bound of a binomial share. The rule of three, 3 / n, is an approximation of it.
    package static func upperBoundOfNone(of count: Int) -> Double? {
        count > 0 ? -expm1(log(0.05) / Double(count)) : nil
    }

    /// The quantile of the normal distribution at 97.5 %.
    static let deviation = 1.959963984540054
}
