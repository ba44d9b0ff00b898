// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What is known of the frames that are being decoded, by the labels of their packets.
struct PendingFrames {
    struct Frame {
        let label: Int64
        let moment: Int64
        let end: Int64
        var isWanted: Bool
    }

    private var frames: [Int64: Frame] = [:]
    /// Those that should have come well before another, and may come yet.
    private var overdue: [Int64: Frame] = [:]
    /// Those that have been taken last: a packet may hold several pictures, which come out one behind the other.
    private var taken: [Frame] = []

    /// Adds the frames of a segment.
    mutating func add(_ segment: Segment, wanted: Set<Int>) {
        let moments = segment.packets.map(\.moment).sorted()
        for (position, packet) in segment.packets.enumerated() {
            frames[packet.label] = Frame(
                label: packet.label, moment: packet.moment, end: Self.end(of: packet, moments, segment.nextMoment),
                isWanted: wanted.contains(position))
        }
    }

    /// A frame is shown until the next one is, whatever its packet says.
    private static func end(of packet: Segment.Packet, _ moments: [Int64], _ next: Int64?) -> Int64 {
        var (low, high) = (0, moments.count)
        while low < high {
            let middle = (low + high) / 2
            if moments[middle] > packet.moment { high = middle } else { low = middle + 1 }
        }
        let following = low < moments.count ? moments[low] : next
        if let following, following > packet.moment { return following }
        return packet.moment + max(packet.duration, 1)
    }

    struct Taken {
        let frame: Frame
        /// Whether another picture of the same packet has been taken before.
        var isFurther = false
        /// Whether it comes so late that it was called lost.
        var isLate = false
        /// What should have come well before and has not, in order.
        var lost: [Frame] = []
    }

    /// Takes a frame out that was decoded, with those that should have come well before it and so are lost.
    ///
    /// Not all that would be shown before it: timestamps need not be in the order in which a decoder gives frames.
    mutating func take(_ label: Int64) -> Taken? {
        guard let frame = frames.removeValue(forKey: label) else {
            if let late = overdue.removeValue(forKey: label) { return Taken(frame: late, isLate: true) }
            return taken.last { $0.label == label }.map { Taken(frame: $0, isFurther: true) }
        }
        taken = taken.suffix(Self.mostTaken - 1) + [frame]
        var lost: [Frame] = []
        for other in frames.values where other.moment < frame.moment - Self.patience {
            frames[other.label] = nil
            overdue[other.label] = other
            if other.isWanted { lost.append(other) }
        }
        // Frames that were left out never come.
        if overdue.count > Int(Self.mostOverdue) { overdue = overdue.filter { $0.key > label - Self.mostOverdue / 2 } }
        return Taken(frame: frame, lost: lost.sorted { $0.moment < $1.moment })
    }

    /// In microseconds.
    private static let patience: Int64 = 500_000

    /// Takes all out that are left when a decoder has given everything.
    mutating func takeRest() -> [Frame] {
        defer { (frames, overdue) = ([:], [:]) }
        return frames.values.filter(\.isWanted).sorted { $0.moment < $1.moment }
    }

    private static let mostTaken = 8
    /// Many more than a decoder holds back.
    private static let mostOverdue: Int64 = 512
}

/// Counts the frames that are decoded, in all tracks of a file together.
final class FrameBudget: Sendable {
    private let most: UInt64
    private let count = Mutex<UInt64>(0)

    init(most: UInt64) {
        self.most = most
    }

    var taken: UInt64 { count.withLock { $0 } }

    /// Whether one more may be decoded.
    func take() -> Bool {
        count.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
    }
}
