// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The search for pictures inside judged frames, such as a photograph in a shared screen.
///
/// A second look is an analysis of its own, which never delays a first look. A frame counts as its first look says until
/// the second one ends. The finding of a second look counts for all frames of its shot.
extension StreamState {
    /// The second looks at a stream.
    struct SecondLooks: Sendable {
        /// The judged frame to look at next, with its pixels.
        var wanted: Frame?
        /// The number of the frame that was looked at last, and the time at which the look began.
        var last: (number: Int, begin: Instant)?
        /// The number of a frame and the finding of the look at it.
        var found: (number: Int, finding: StreamFinding)?
    }

    /// Returns the frame to look at a second time; nil if there is none.
    package var wantedSecondLook: Frame? {
        isAnalysing && !running.contains(where: \.isSecondLook) ? secondLooks.wanted : nil
    }

    /// The time at which the last second look began; nil before the first.
    var lastSecondLook: Instant? { secondLooks.last?.begin }

    /// Records that the second look at the wanted frame has begun.
    ///
    /// - Returns: the number of the analysis; nil if no second look is wanted.
    package mutating func beginSecondLook(at now: Instant) -> Int? {
        guard let frame = wantedSecondLook else { return nil }
        secondLooks.wanted = nil
        secondLooks.last = (frame.number, now)
        analysisCount += 1
        running.append(RunningAnalysis(number: analysisCount, frame: frame, terms: terms, isSecondLook: true))
        return analysisCount
    }

    /// Notes that a frame begins another shot than the frame before it.
    mutating func beginShot(with frame: Frame) {
        shotStart = frame.number
        secondLooks.wanted = nil
        secondLooks.found = nil
    }

    /// Makes a judged frame the next to look at, if its shot was not looked at for long.
    mutating func wantSecondLook(at frame: Frame, _ now: Instant) {
        guard let interval = timing.secondLookInterval, frame.number >= shotStart else { return }
        if let last = secondLooks.last, last.number >= shotStart, last.begin.advanced(by: interval) > now { return }
        secondLooks.wanted = frame
    }

    /// Returns the finding of a first look, joined with that of the second look at the same shot.
    func joinedWithSecondLook(_ finding: StreamFinding, of frame: Frame) -> StreamFinding {
        guard let found = secondLooks.found, frame.number >= shotStart else { return finding }
        return finding.level >= found.finding.level
            ? finding.joined(with: found.finding) : found.finding.joined(with: finding)
    }

    /// Takes the finding of a second look.
    ///
    /// - Returns: whether the finding changes what the first look has said.
    mutating func noteSecondLook(_ finding: StreamFinding, of frame: Frame) -> Bool {
        guard finding.isHarmless else {
            if frame.number >= shotStart { secondLooks.found = (frame.number, finding) }
            return true
        }
        if secondLooks.found.map({ $0.number < frame.number }) ?? false { secondLooks.found = nil }
        return false
    }
}
