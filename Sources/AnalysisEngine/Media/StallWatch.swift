// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost

/// Detects a decoder that answers but makes no progress.
struct StallWatch {
    private var latest: (share: Double, position: Duration)?
    private let newClock: () -> WorkClock
    /// The time since the latest progress.
    private var clock: WorkClock

    /// - Parameters:
    ///   - limit: the time of work after which a decoder must have come further.
    ///   - work: the time for which the decoder has worked, from any beginning.
    ///   - now: the time that has passed, from any beginning.
    init(limit: Duration, work: @escaping () -> Duration?, now: @escaping () -> Duration = WorkClock.awakeTime) {
        newClock = { WorkClock(limit: limit, processorTime: work, now: now) }
        clock = newClock()
    }

    /// Notes the progress that a decoder reports.
    ///
    /// - Throws: `timedOut` if the progress has not changed within the limit.
    mutating func note(_ share: Double, _ position: Duration) throws(AnalysisFailure) {
        if let latest, share <= latest.share, position <= latest.position {
            guard clock.remainingMilliseconds() > 0 else { throw Self.failure }
        } else {
            latest = (max(share, latest?.share ?? 0), max(position, latest?.position ?? .zero))
            clock = newClock()
        }
    }

    static let failure = AnalysisFailure(
        .timedOut,
        "The decoder came no further in the video within the time limit. Raise the time limit if the media can be trusted."
    )
}
