// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

extension StreamState {
    /// Puts a frame into the gate, unless frames come faster than it can hold.
    mutating func hold(_ frame: Frame) {
        guard let gateDelay else { return }
        // From half of the room on, frames are thinned out evenly. Frames that were dropped from either end would
        // leave nothing to show until the stream ends, or between bursts.
        let least = gateDelay / (Self.mostHeld / 2)
        if held.count >= Self.mostHeld / 2, let last = held.last, last.arrival.duration(to: frame.arrival) < least {
            leftOutCount += 1
            return
        }
        held.append(frame)
        // Either nobody takes the frames that are due, and the newest of them would leave anyway, or frames are large.
        var byteCount = held.reduce(0) { $0 + $1.picture.byteCount }
        while held.count > Self.mostHeld || byteCount > Self.mostHeldBytes && held.count > 1 {
            byteCount -= held.removeFirst().picture.byteCount
            leftOutCount += 1
        }
    }

    /// Takes the frame that is due from the gate, or a cover in its place.
    ///
    /// Frames leave in order. If several are due, the caller is late: only the newest leaves, and the others are dropped.
    ///
    /// - Returns: the release, or nil if no frame is due; and the number of dropped frames.
    package mutating func release(at now: Instant) -> (release: StreamRelease<Instant, Picture>?, droppedCount: Int) {
        guard let gateDelay else { return (nil, 0) }
        let dueCount = held.prefix { $0.arrival.advanced(by: gateDelay) <= now }.count
        guard dueCount > 0 else { return (nil, 0) }
        let frame = held[dueCount - 1]
        let release: StreamRelease<Instant, Picture> =
            if let reason = coverReason(of: frame, at: now) { .cover(frame, reason) } else { .frame(frame) }
        held.removeFirst(dueCount)
        defer { leftOutCount = 0 }
        return (release, dueCount - 1 + leftOutCount)
    }

    /// The time at which the next frame leaves the gate.
    var heldUntil: Instant? { gateDelay.flatMap { held.first?.arrival.advanced(by: $0) } }

    /// Returns the reason to cover a frame; nil if it may be shown.
    private func coverReason(of frame: Frame, at now: Instant) -> CoverReason? {
        if terms.policy == .disabled { return .disabled }
        if activeFinding != nil || holdEnd.map({ now < $0 }) == true && acceptance == nil { return .sensitive }
        if let own = judgements.first(where: { $0.frame.number == frame.number }) {
            return isAllowed(own.finding) ? nil : .sensitive
        }
        if failedFrames.contains(frame.number) { return .unjudged }
        let earlier = judgements.last { $0.frame.number < frame.number }
        let later = judgements.first { $0.frame.number > frame.number }
        let neighbours = [earlier, later].compactMap { $0 }
        guard neighbours.allSatisfy({ isAllowed($0.finding) }) else { return .sensitive }
        let near = neighbours.filter { judgement in
            let (one, other) = (judgement.frame.arrival, frame.arrival)
            return (one < other ? one.duration(to: other) : other.duration(to: one)) <= timing.patience
        }
        guard let first = near.first,
            frame.picture.isLike(first.frame.picture, and: near.dropFirst().first?.frame.picture)
        else { return .unjudged }
        return nil
    }
}
