// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Finds gaps in a file: bytes that belong to no packet, and so may be lost; packets are added in the order of reading.
struct PacketCoverage {
    /// Whether packets are split into pieces, with pieces of other streams between them.
    private let hasPieces: Bool
    /// The most bytes between two packets that do not count as a gap.
    private let largestOverhead: Int64
    private var end: Int64?
    private var latest: Int64 = 0
    private var gaps: [Range<Int64>] = []

    /// - Parameter hasPieces: whether packets are split and padded, as in transport streams.
    init(hasPieces: Bool) {
        self.hasPieces = hasPieces
        largestOverhead = hasPieces ? 16 << 10 : 1 << 10
    }

    /// Adds the packet that is read next, of any stream.
    mutating func add(position: Int64, byteCount: Int) {
        defer { latest = position }
        let byteCount = Int64(byteCount)
        let overhead = byteCount / Self.leastShareOfOverhead
        guard let end, position < end else {
            if let end { note(gap: end..<position) }
            end = position + byteCount + overhead
            return
        }
        var rest = byteCount + overhead
        self.end = max(end, position + rest)
        if position == latest {
            // All packets in one page of an Ogg file have the position of the page.
            self.end = max(end + byteCount, position + rest)
        } else if hasPieces {
            // A packet ends after the sound between its pieces, so its pieces fill apparent gaps before that sound.
            gaps = gaps.flatMap { Self.filled($0, from: position, with: &rest) }.filter { $0.count > largestOverhead }
            self.end = max(end + max(0, rest - overhead), position + byteCount + overhead)
        }
    }

    /// Returns whether there is a gap before the packet that was added last, and removes all gaps before that packet.
    mutating func takeGapBeforeLatest() -> Bool {
        let isBefore = { [latest] (gap: Range<Int64>) in gap.upperBound <= latest }
        defer { gaps.removeAll(where: isBefore) }
        return gaps.contains(where: isBefore)
    }

    private mutating func note(gap: Range<Int64>) {
        guard gap.count > largestOverhead else { return }
        gaps.append(gap)
        // So many gaps cannot all be filled, so they count as one.
        if gaps.count > Self.mostGaps { gaps = [gaps[0].lowerBound..<gap.upperBound] }
    }

    /// Returns the rest of a gap after a packet's pieces have filled it from a position on.
    private static func filled(
        _ gap: Range<Int64>, from position: Int64, with rest: inout Int64
    ) -> [Range<Int64>] {
        guard rest > 0, gap.upperBound > position else { return [gap] }
        let start = max(gap.lowerBound, position)
        let end = min(gap.upperBound, start + rest)
        rest -= end - start
        return [gap.lowerBound..<start, end..<gap.upperBound]
    }

    /// The divisor of a packet's size that gives its overhead: in transport streams, up to 8 bytes for 184.
    private static let leastShareOfOverhead: Int64 = 16
    private static let mostGaps = 64
}

/// Measures the times of a video whose frames should have been looked at but could not be decoded.
struct UnseenStretches {
    /// The longest time without a decoded frame, in microseconds.
    private(set) var longest: Int64 = 0
    private var start: Int64?
    /// The stretch that has ended last; a loss that begins in it or at its end extends it.
    private var ended: Range<Int64>?

    /// Notes a frame that could not be decoded.
    mutating func miss(at moment: Int64) {
        let first =
            if let ended, ended.contains(moment) || moment == ended.upperBound { ended.lowerBound } else { moment }
        start = min(start ?? first, first)
    }

    /// Notes a decoded frame, or the end of the track.
    mutating func see(at moment: Int64) {
        if let start {
            longest = max(longest, moment - start)
            ended = start..<max(start, moment)
        }
        start = nil
    }
}
