// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The times at which the frames of an encoded stream are due, so that a stream from a file runs at its own speed.
///
/// Frames of a live stream come late, and are never delayed.
struct StreamPace {
    /// The time of the moment 0 of the stream.
    private var origin: ContinuousClock.Instant?
    private var last = Duration.zero

    /// Returns the time to wait before a frame is passed on.
    ///
    /// - Parameter moment: the time stamp of the frame; a frame without one does not wait.
    mutating func delay(before moment: Duration?, at now: ContinuousClock.Instant) -> Duration {
        guard let moment else { return .zero }
        // Joined streams jump in time, and begin anew.
        let jumps = moment < last - Self.longestStep || moment > last + Self.longestStep
        last = moment
        guard let origin, !jumps else {
            origin = now.advanced(by: .zero - moment)
            return .zero
        }
        return max(.zero, now.duration(to: origin.advanced(by: moment)))
    }

    private static let longestStep = Duration.seconds(2)
}
