// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Converts timestamps to moments from the start of the file without jumps back; both are in microseconds.
struct TrackClock {
    private let mayHaveJumps: Bool
    private var start: Int64?
    private var offset: Int64 = 0
    private var latest: Int64?
    private var usualStep: Int64 = 40_000
    /// Whether the previous packet had no timestamp.
    private var isGuessing = false
    /// Whether moments are no longer plain differences of timestamps, so seeking cannot find them.
    private(set) var isShifted = false
    /// Whether the latest timestamp was so far from the previous timestamps that it begins a new count.
    private(set) var hasJumped = false
    /// Whether a timestamp was out of bounds or long before the start; players show such frames at other moments.
    private(set) var hasImpossibleTimestamps = false

    /// - Parameters:
    ///   - start: the start that the container declares, or nil if it declares none.
    ///   - mayHaveJumps: whether timestamps may jump, as in joined broadcasts.
    init(start: Int64?, mayHaveJumps: Bool) {
        self.start = start.map { Self.bounded($0, by: Self.furthestTimestamp) }
        self.mayHaveJumps = mayHaveJumps
    }

    init(_ container: MediaContainer) {
        self.init(start: container.startTime, mayHaveJumps: container.mayHaveJumps)
    }

    /// Returns the moment of a packet; a packet without a timestamp follows the packet before it.
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
            // Reordered frames go back by less than this. A longer step back begins another recording.
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

    /// Returns the timestamp at which a moment is searched.
    func timestamp(of moment: Int64) -> Int64 {
        moment + (start ?? 0)
    }

    private static func bounded(_ value: Int64, by bound: Int64) -> Int64 { max(-bound, min(value, bound)) }

    /// The bounds of timestamps and moments in microseconds: 142 and 9,000 years.
    ///
    /// Files may hold any number. Sums of a few values within these bounds cannot overflow.
    static let furthestTimestamp: Int64 = 1 << 52
    private static let furthestMoment: Int64 = 1 << 58
    private static let furthestBack: Int64 = 2_000_000
    /// The furthest step back if recordings are never joined; frames may be ten seconds apart.
    private static let furthestReordering: Int64 = 120_000_000
    private static let furthestForward: Int64 = 10_000_000
}
