// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Synchronization

/// The clock by which a file is played at its own speed.
final class PlaybackClock: Sendable {
    private let state = Mutex(State())

    private struct State {
        var start: ContinuousClock.Instant?
        var last = Duration.zero
        /// The number of frames in succession whose times did not grow.
        var standstill = 0
    }

    /// More frames than this in succession have the time of an earlier frame in no file that players agree on.
    private static let mostStandstill = 30

    /// Returns the moment at which a frame is shown; the file begins to play with the first call.
    ///
    /// - Throws: `malformedMedia` if the times of many frames do not grow. Players show them at speeds of their own.
    func moment(of time: Duration) throws -> ContinuousClock.Instant {
        try state.withLock { state in
            let start = state.start ?? .now
            state.standstill = state.start != nil && time <= state.last ? state.standstill + 1 : 0
            (state.start, state.last) = (start, max(time, state.last))
            guard state.standstill <= Self.mostStandstill else {
                throw AnalysisFailure(
                    .malformedMedia,
                    "The frames of the file have no times of their own, so it has no speed. Convert it, for example with"
                        + " ffmpeg, or judge it with: sca analyze")
            }
            return start + time
        }
    }
}
