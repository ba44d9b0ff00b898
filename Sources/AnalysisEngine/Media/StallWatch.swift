// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Detects a decoder that answers but makes no progress.
struct StallWatch {
    let limit: Duration
    private var latest: (share: Double, position: Duration)?
    private var since: ContinuousClock.Instant

    init(limit: Duration, at now: ContinuousClock.Instant = .now) {
        self.limit = limit
        since = now
    }

    /// Notes the progress that a decoder reports.
    ///
    /// - Throws: `timedOut` if the progress has not changed for ``limit``.
    mutating func note(
        _ share: Double, _ position: Duration, at now: ContinuousClock.Instant = .now
    ) throws(AnalysisFailure) {
        if let latest, share <= latest.share, position <= latest.position {
            guard now - since < limit else { throw Self.failure }
        } else {
            latest = (max(share, latest?.share ?? 0), max(position, latest?.position ?? .zero))
            since = now
        }
    }

    static let failure = AnalysisFailure(
        .timedOut,
        "The decoder came no further in the video within the time limit. Raise the time limit if the media can be trusted."
    )
}
