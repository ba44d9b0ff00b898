// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Counts the frames that are decoded, in all tracks of a file together.
final class FrameBudget {
    private let most: UInt64
    private(set) var taken: UInt64 = 0

    init(most: UInt64) {
        self.most = most
    }

    /// Whether one more may be decoded.
    func take() -> Bool {
        guard taken < most else { return false }
        taken += 1
        return true
    }
}
