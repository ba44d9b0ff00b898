// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The processor time for searches for test patterns beyond the scans that each picture gets.
///
/// ZBar's time grows with the number of places that look like a part of a code, so pixels cannot bound it.
package struct SearchBudget {
    /// The time that is left, in microseconds; negative after a scan that took longer.
    private var left = most

    package init() {}

    /// Whether another scan may begin.
    var isLeft: Bool { left > 0 }

    /// Adds the share of another picture of the same file.
    mutating func addPicture() {
        left = min(Self.most, left + Self.share)
    }

    mutating func spend(since start: Int) {
        left -= Self.now() - start
    }

    /// The processor time of this thread, in microseconds, which other programs do not change.
    static func now() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }

    /// A picture takes about as long without test mode.
    private static let most = 60_000
    private static let share = 2_000
}
