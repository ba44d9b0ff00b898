// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Measures how long a helper works, and tells when that is too long.
///
/// On a busy machine, a helper waits for a processor. That time does not count, so a verdict does not depend on other
/// programs. A helper that waits for anything else is ended after the limit, because it makes no use of processors.
package struct WorkClock {
    private let limit: Duration
    private let processorTime: () -> Duration?
    private let now: () -> Duration
    private let start: Moment
    /// The start of the span in which the helper has to make use of processors.
    private var latest: Moment

    private struct Moment {
        let time: Duration
        /// The processor time that was used until then, or nil if it is unknown.
        let work: Duration?
    }

    /// - Parameters:
    ///   - limit: the time after which the helper has worked too long.
    ///   - processorTime: the processor time that the helper has used, from any beginning; nil if it is unknown.
    ///   - now: the time that has passed since any beginning, by default without the time in which the machine sleeps.
    package init(
        limit: Duration, processorTime: @escaping () -> Duration?, now: @escaping () -> Duration = Self.awakeTime
    ) {
        self.limit = limit
        self.processorTime = processorTime
        self.now = now
        start = Moment(time: now(), work: processorTime())
        latest = start
    }

    /// The time for which the helper has worked: its processor time, but at most the time that has passed.
    ///
    /// A tenth of the time that passes counts in any case, so that no helper can go on for ever.
    package var spent: Duration {
        let passed = now() - start.time
        guard let work = work(since: start) else { return passed }
        return min(passed, max(work, passed / Self.slowestShare))
    }

    /// Returns the milliseconds after which to ask again, or 0 once the helper has taken too long.
    package mutating func remainingMilliseconds() -> Int32 {
        let passed = now() - start.time
        guard passed >= limit else { return Self.milliseconds(limit - passed) }
        let spent = spent
        guard spent < limit else { return 0 }
        let span = now() - latest.time
        if span >= limit {
            guard let work = work(since: latest), work >= limit / Self.leastUse else { return 0 }
            latest = Moment(time: now(), work: processorTime())
        }
        return Self.milliseconds(min(limit - spent, Self.interval))
    }

    private func work(since moment: Moment) -> Duration? {
        guard let first = moment.work, let work = processorTime() else { return nil }
        return work - first
    }

    private static func milliseconds(_ duration: Duration) -> Int32 {
        Int32(clamping: Int64(clamping: Int128(max(duration, .nanoseconds(1)) / .nanoseconds(1)) + 999_999) / 1_000_000)
    }

    /// Returns the time for which the machine was awake since this program first asked.
    package static func awakeTime() -> Duration { SuspendingClock.now - origin }

    private static let origin = SuspendingClock.now
    /// The share of the time that passes, as a divisor, which counts at least.
    private static let slowestShare = 10
    /// The share of the limit, as a divisor, for which a helper that is not stuck has a processor.
    private static let leastUse = 100
    private static let interval = Duration.milliseconds(250)
}
