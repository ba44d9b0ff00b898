// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A figure and its interval.
package struct Estimate: Sendable, Hashable {
    package var value: Double
    /// The 95 % interval; nil of too few files or sources.
    package var interval: Interval?
}
