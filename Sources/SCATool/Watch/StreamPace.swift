// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The times at which the frames of a stream are due, so that a stream from a file runs at its own speed.
///
/// A stream that was held up catches up slowly. Otherwise a sender could let seconds of the stream pass within a moment, in
/// which nobody judges them, while a player shows them for seconds.
struct StreamPace {
    /// The time of the moment 0 of the stream.
    private var origin: ContinuousClock.Instant?
    /// The time of the latest frame.
    private var latest: ContinuousClock.Instant?
    private var last: Duration?
    /// The time of the latest frame since the beginning of the stream, without jumps.
    private(set) var position = Duration.zero
    /// Whether the time of the latest frame did not follow that of the frame before, which a player may show for long.
    private(set) var hasJumped = false
    /// The number of frames whose times did not grow or jumped, less one for every ten other frames.
    private var faultCount = 0.0
    /// The longest time between two frames that is no jump.
    private let longestStep: Duration

    init(longestStep: Duration = .seconds(10)) {
        self.longestStep = longestStep
    }

    /// Returns the time to wait before a frame is passed on.
    ///
    /// - Parameter moment: the time stamp of the frame; nil for a frame without one.
    /// - Returns: nil if the times do not grow, so that the stream has no speed.
    mutating func delay(before moment: Duration?, at now: ContinuousClock.Instant) -> Duration? {
        let moment = moment ?? last.map { $0 + Self.assumedInterval } ?? .zero
        let step = last.map { moment - $0 }
        last = moment
        // Joined streams jump in time, and begin anew.
        let isGood = step.map { $0 > .zero && $0 <= longestStep } ?? true
        hasJumped = !isGood
        let length = isGood ? step ?? .zero : Self.assumedInterval
        position += length
        faultCount = isGood ? max(0, faultCount - 0.1) : faultCount + 1
        guard faultCount <= Self.mostFaults else { return nil }
        let earliest = latest.map { $0.advanced(by: length / Self.fastest) } ?? now
        var time = max(now, earliest)
        if let origin, isGood { time = max(time, origin.advanced(by: moment)) } else { origin = time - moment }
        latest = time
        return now.duration(to: time)
    }

    /// The time between frames of a stream without times, which is that of FFmpeg.
    private static let assumedInterval = Duration.milliseconds(40)
    private static let mostFaults = 40.0
    /// The highest speed of a stream that catches up.
    private static let fastest = 1.1
}
