// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The quantile of Student's t distribution at 97.5 %.
package enum StudentQuantile {
    /// Returns the quantile, with an error below 1e-6 from 19 degrees of freedom on.
    ///
    /// Source: M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions", 1964, 26.7.5.
    package static func at975(degrees: Int) -> Double {
        let (z, v) = (Proportion.deviation, Double(degrees))
        let s = z * z
        let terms = [
            (s + 1) * z / 4, ((5 * s + 16) * s + 3) * z / 96, (((3 * s + 19) * s + 17) * s - 15) * z / 384,
            ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) * z / 92_160,
        ]
        var power = 1.0
        return terms.reduce(z) { sum, term in
            power *= v
            return sum + term / power
        }
    }
}
