// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Turns the timestamps of a stream into moments from the start of the file, which never go back; both in microseconds.
struct TrackClock {
    private let mayHaveJumps: Bool
    private var start: Int64?
    private var offset: Int64 = 0
    private var latest: Int64?
    private var usualStep: Int64 = 40_000
    /// Whether the packet before had no timestamp.
    private var isGuessing = false
    /// Whether moments are no longer a mere difference of timestamps, so that they cannot be looked up by seeking.
    private(set) var isShifted = false
    /// Whether the latest timestamp was so far from those before that it begins a new count.
    private(set) var hasJumped = false
    /// Whether a timestamp was beyond all bounds, or long before the start: players show such frames at other moments.
    private(set) var hasImpossibleTimestamps = false

    /// - Parameters:
    ///   - start: the moment at which the container says that it begins; nil where it does not say.
    ///   - mayHaveJumps: whether timestamps may jump, as where broadcasts were joined.
    init(start: Int64?, mayHaveJumps: Bool) {
        self.start = start.map { Self.bounded($0, by: Self.furthestTimestamp) }
        self.mayHaveJumps = mayHaveJumps
    }

    init(_ container: MediaContainer) {
        self.init(start: container.startTime, mayHaveJumps: container.mayHaveJumps)
    }

    /// The moment of a packet with a timestamp; one without follows the one before.
    mutating func moment(at timestamp: Int64?) -> Int64 {
        hasJumped = false
        guard let raw = timestamp.map({ Self.bounded($0, by: Self.furthestTimestamp) }) else {
            (isShifted, isGuessing) = (true, true)
            let moment = Self.bounded((latest ?? 0) + usualStep, by: Self.furthestMoment)
            latest = moment
            return moment
        }
        if abs(raw) == Self.furthestTimestamp { hasImpossibleTimestamps = true }
        if start == nil || latest == nil && raw < start! { start = raw }
        var moment = Self.bounded(raw - start! + offset, by: Self.furthestMoment)
        if let latest {
            let step = moment - latest
            // Frames are reordered by less than this; what goes back further is another recording.
            let furthestBack = mayHaveJumps || isGuessing ? Self.furthestBack : Self.furthestReordering
            if step < -furthestBack || mayHaveJumps && step > Self.furthestForward {
                let next = Self.bounded(latest + usualStep, by: Self.furthestMoment)
                offset = Self.bounded(offset + next - moment, by: Self.furthestMoment)
                moment = next
                (isShifted, hasJumped) = (true, true)
            } else if step > 0, step < 1_000_000 {
                usualStep = step
            }
        }
        isGuessing = false
        latest = max(latest ?? moment, moment)
        if moment < -Self.furthestBack { hasImpossibleTimestamps = true }
        return max(0, moment)
    }

    /// The timestamp at which a moment is looked for.
    func timestamp(of moment: Int64) -> Int64 {
        moment + (start ?? 0)
    }

    private static func bounded(_ value: Int64, by bound: Int64) -> Int64 { max(-bound, min(value, bound)) }

    /// The bounds of timestamps and moments: 142 and 9,000 years.
    ///
    /// Files may say any number. Sums of a few values within these bounds cannot overflow.
    static let furthestTimestamp: Int64 = 1 << 52
    private static let furthestMoment: Int64 = 1 << 58
    private static let furthestBack: Int64 = 2_000_000
    /// The same where recordings are never joined; frames may be ten seconds apart.
    private static let furthestReordering: Int64 = 120_000_000
    private static let furthestForward: Int64 = 10_000_000
}
