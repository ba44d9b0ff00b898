// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Notices a decoder that answers and comes no further.
struct StallWatch {
    let limit: Duration
    private var latest: (share: Double, position: Duration)?
    private var since: ContinuousClock.Instant

    init(limit: Duration, at now: ContinuousClock.Instant = .now) {
        self.limit = limit
        since = now
    }

    /// Notes how far the decoder says that it is.
    ///
    /// - Throws: `timedOut` where that has not changed for too long.
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
