// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

/// The reasons for which a stream that looks harmless is not known to be harmless, for a second at least.
final class StreamDoubts: Sendable {
    private let latest = Mutex<Doubt?>(nil)

    private struct Doubt {
        let failure: AnalysisFailure
        let end: ContinuousClock.Instant
        /// Whether a judgement has been refused for this reason.
        var hasCounted = false
    }

    /// Notes that parts of the stream were not seen here, and that another player may show them.
    func note(_ failure: AnalysisFailure, at now: ContinuousClock.Instant = .now) {
        latest.withLock { $0 = Doubt(failure: failure, end: now + Self.duration) }
    }

    /// Returns the reason to refuse a harmless judgement; each reason is returned at least once.
    func reason(at now: ContinuousClock.Instant = .now) -> AnalysisFailure? {
        latest.withLock { latest in
            guard let doubt = latest else { return nil }
            guard !doubt.hasCounted || now < doubt.end else {
                latest = nil
                return nil
            }
            latest?.hasCounted = true
            return doubt.failure
        }
    }

    /// A stream that loses something every moment must not change its state every moment.
    private static let duration = Duration.seconds(1)

    static let loss = AnalysisFailure(
        .malformedMedia,
        "Parts of the stream could not be decoded, and another player may show them. Watch and show it with --output -,"
            + " or send it without losses.")
    static let jump = AnalysisFailure(
        .ambiguousMedia,
        "The times of the stream jump, so players may show some frames longer than they are judged here. Watch and show it"
            + " with --output -.")
    static let speed = AnalysisFailure(
        .ambiguousMedia,
        "The stream states no times, and comes faster than 25 frames a second. So a player may be ahead of its judgement."
            + " Send it as Matroska, or watch and show it with --output -.")
}
