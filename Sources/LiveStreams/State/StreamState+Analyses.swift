// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

extension StreamState {
    /// The importance of an analysis among those of all streams, the least first.
    package enum Urgency: Int, Comparable, Sendable {
        /// The frame shows the same as before, or motion.
        case routine
        /// The stream has waited for nearly as long as it may.
        case waiting
        /// The frame shows something new, or has to confirm a suspicion.
        case new
        /// The stream has waited for as long as it may, so that streams of nothing but cuts do not exclude it.
        case overdue

        package static func < (one: Urgency, other: Urgency) -> Bool { one.rawValue < other.rawValue }
    }

    /// The analysis that a stream wants next.
    package struct WantedAnalysis: Sendable {
        package let frame: Frame
        package let urgency: Urgency
        /// The time by which the analysis should have begun.
        package let due: Instant
        /// The time from which on the analysis may begin.
        package let earliest: Instant
    }

    /// Returns the wanted analysis; nil if no frame needs one.
    package func wanted(at now: Instant) -> WantedAnalysis? {
        guard isAnalysing, let pending else { return nil }
        var (due, earliest): (Instant, Instant)
        if suspicion != nil {
            // A suspicion covers the stream, so it is confirmed or dismissed at once.
            (due, earliest) = (pending.arrival, pending.arrival)
        } else if let changeDue {
            let pause = lastBegin?.advanced(by: timing.changeInterval) ?? pending.arrival
            (due, earliest) = (changeDue, gateDelay != nil || isLargeChange ? pending.arrival : pause)
        } else if let last = lastBegin {
            due = last.advanced(by: timing.routineInterval)
            earliest = due.advanced(by: .zero - timing.routineLead)
        } else {
            (due, earliest) = (pending.arrival, pending.arrival)
        }
        if let retryTime { earliest = max(earliest, retryTime) }
        var urgency = Urgency.routine
        if overdueTime.map({ $0 <= now }) ?? true {
            urgency = .overdue
        } else if suspicion != nil || hasCut && running.allSatisfy(\.isSecondLook) {
            // A stream of nothing but cuts gets one lane before the others, and not all of them.
            urgency = .new
        } else if lastBegin.map({ $0.advanced(by: timing.routineInterval - timing.routineLead) <= now }) ?? true {
            urgency = .waiting
        }
        return WantedAnalysis(frame: pending, urgency: urgency, due: due, earliest: earliest)
    }

    /// The time from which on the stream comes before all others; nil before its first analysis.
    var overdueTime: Instant? { lastBegin?.advanced(by: timing.routineInterval - timing.routineLead / 2) }

    /// Records that the analysis of the pending frame has begun.
    ///
    /// - Returns: the number of the analysis; nil if no frame is pending.
    package mutating func beginAnalysis(at now: Instant) -> Int? {
        guard let frame = pending else { return nil }
        pending = nil
        changeDue = nil
        isLargeChange = false
        hasCut = false
        lastBegin = now
        analysisCount += 1
        running.append(RunningAnalysis(number: analysisCount, frame: frame, terms: terms))
        return analysisCount
    }

    mutating func endAnalysis(_ number: Int) -> RunningAnalysis? {
        guard let index = running.firstIndex(where: { $0.number == number }) else { return nil }
        return running.remove(at: index)
    }

    /// Makes the newest frame pending again, although it may have been analysed before.
    mutating func requestNewest(at now: Instant) {
        pending = isAnalysing ? newest : nil
        changeDue = pending == nil ? nil : now.advanced(by: timing.changeDeadline)
        isLargeChange = pending != nil
        hasCut = pending != nil
        unjudgedSince = pending == nil ? nil : unjudgedSince ?? now
    }

    /// Returns the least difference of a picture from the frames that are or will be judged.
    package func leastChange(of picture: Picture) -> PictureChange {
        var change = judgements.last.map { picture.change(from: $0.frame.picture) } ?? .much
        // A frame of a second look was judged before, and other frames since.
        for analysis in running where analysis.terms == terms && !analysis.isSecondLook && change != .none {
            let other = picture.change(from: analysis.frame.picture)
            if other.size < change.size { change = other }
        }
        return change
    }

    /// Determines the deadline of a pending frame.
    ///
    /// - Parameter previous: the frame before it, if it has just arrived.
    mutating func noteChange(of frame: Frame, after previous: Frame?) {
        let change = leastChange(of: frame.picture)
        guard change != .none else {
            changeDue = nil
            isLargeChange = false
            hasCut = false
            return
        }
        // A newer frame replaces a pending frame and keeps its deadline, so that motion does not postpone an analysis.
        let due = frame.arrival.advanced(by: change == .much ? timing.largeChangeDeadline : timing.changeDeadline)
        changeDue = min(changeDue ?? due, due)
        isLargeChange = isLargeChange || change == .much
        hasCut = hasCut || change == .much && previous.map { frame.picture.isCut(from: $0.picture) } ?? false
    }

    mutating func noteNewestJudged(_ frame: Frame) {
        unjudgedSince = newest.map { $0.number > frame.number } == true ? frame.arrival : nil
    }
}

extension PictureChange {
    fileprivate var size: Int {
        switch self {
        case .none: 0
        case .some: 1
        case .much: 2
        }
    }
}
