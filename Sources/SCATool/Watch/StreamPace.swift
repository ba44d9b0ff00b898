// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The times at which the frames of an encoded stream are due, so that a stream from a file runs at its own speed.
///
/// Frames of a live stream that come a little late are not delayed.
struct StreamPace {
    /// The time of the moment 0 of the stream.
    private var origin: ContinuousClock.Instant?
    private var last: Duration?
    /// The time of the latest frame since the beginning of the stream, without jumps.
    private(set) var position = Duration.zero
    /// The number of frames whose times did not grow or jumped, less one for every ten other frames.
    private var faultCount = 0.0

    /// Returns the time to wait before a frame is passed on.
    ///
    /// A stream that was held up goes on at its own speed, as in a player. Otherwise a sender could let seconds pass within
    /// a moment, in which nobody judges them.
    ///
    /// - Parameter moment: the time stamp of the frame; nil for a frame without one.
    /// - Returns: nil if the times do not grow, so that the stream has no speed.
    mutating func delay(before moment: Duration?, at now: ContinuousClock.Instant) -> Duration? {
        let moment = moment ?? last.map { $0 + Self.assumedInterval } ?? .zero
        let step = last.map { moment - $0 }
        last = moment
        // Joined streams jump in time, and begin anew.
        let isGood = step.map { $0 > .zero && $0 <= Self.longestStep } ?? true
        if let step { position += isGood ? step : Self.assumedInterval }
        faultCount = isGood ? max(0, faultCount - 0.1) : faultCount + 1
        guard faultCount <= Self.mostFaults else { return nil }
        guard let origin, isGood else {
            let wait = step == nil ? .zero : Self.assumedInterval
            origin = now.advanced(by: wait - moment)
            return wait
        }
        let due = origin.advanced(by: moment)
        guard due.duration(to: now) < Self.mostDelay else {
            self.origin = now.advanced(by: .zero - moment)
            return .zero
        }
        return max(.zero, now.duration(to: due))
    }

    private static let longestStep = Duration.seconds(2)
    /// The time between frames of a stream without times, which is that of FFmpeg.
    private static let assumedInterval = Duration.milliseconds(40)
    private static let mostFaults = 40.0
    /// The time by which a frame may come late without a change of the times of later frames.
    private static let mostDelay = Duration.milliseconds(500)
}
