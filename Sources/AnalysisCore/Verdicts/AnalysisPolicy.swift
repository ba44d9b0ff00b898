// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// How an app should respond to sensitive content; a later case is stricter than an earlier one.
package enum AnalysisPolicy: Int, Sendable, Comparable, CaseIterable {
    case disabled = 0
    case simple = 1
    case descriptive = 2

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
