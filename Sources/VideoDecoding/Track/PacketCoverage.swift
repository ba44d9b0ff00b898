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
