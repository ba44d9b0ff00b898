// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Counts the decoded frames of all tracks of a file together, up to a limit.
final class FrameBudget: Sendable {
    private let most: UInt64
    private let count = Mutex<UInt64>(0)

    init(most: UInt64) {
        self.most = most
    }

    var taken: UInt64 { count.withLock { $0 } }

    /// Counts one more frame, and returns whether it may be decoded.
    func take() -> Bool {
        count.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
    }
}
