// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The frames that are being decoded, by the labels of their packets.
struct PendingFrames {
    struct Frame {
        let label: Int64
        let moment: Int64
        let end: Int64
        var isWanted: Bool
    }

    private var frames: [Int64: Frame] = [:]
    /// The frames that should have come well before another frame, and may still come.
    private var overdue: [Int64: Frame] = [:]
    /// The frames that were taken last; they identify further pictures that a decoder gives for the same packet.
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

    /// Returns the end of a frame: the start of the next frame, or the end that its packet declares if none follows.
    private static func end(of packet: Segment.Packet, _ moments: [Int64], _ next: Int64?) -> Int64 {
        let index = moments.partitioningIndex { $0 > packet.moment }
        let following = index < moments.count ? moments[index] : next
        if let following, following > packet.moment { return following }
        return packet.moment + max(packet.duration, 1)
    }

    struct Taken {
        let frame: Frame
        /// Whether another picture of the same packet was taken before.
        var isFurther = false
        /// Whether the frame comes so late that it already counted as lost.
        var isLate = false
        /// The wanted frames that should have come well before this frame but have not, in order.
        var lost: [Frame] = []
    }

    /// Takes out a decoded frame, and the frames that should have come well before it and so are lost.
    ///
    /// Frames of slightly earlier moments are not lost, because a decoder may give frames out of order.
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
        // Frames that the decoder leaves out never come, so old entries are dropped.
        if overdue.count > Int(Self.mostOverdue) { overdue = overdue.filter { $0.key > label - Self.mostOverdue / 2 } }
        return Taken(frame: frame, lost: lost.sorted { $0.moment < $1.moment })
    }

    /// The time by which lost frames precede the frame that has come, in microseconds.
    private static let patience: Int64 = 500_000

    /// Takes out all frames that are left after a decoder has given everything, and returns the wanted frames.
    mutating func takeRest() -> [Frame] {
        defer { (frames, overdue) = ([:], [:]) }
        return frames.values.filter(\.isWanted).sorted { $0.moment < $1.moment }
    }

    private static let mostTaken = 8
    /// The bound of overdue frames, which are many more than a decoder holds back.
    private static let mostOverdue: Int64 = 512
}
