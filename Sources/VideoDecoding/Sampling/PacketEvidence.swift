// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Finds the packets whose size suggests that the picture has changed.
///
/// A packet with a change of the picture is larger than neighbouring packets of the same kind. A packet of a still
/// picture amid noise is smaller. docs/video-sampling.md has measurements for an inserted half second.
struct PacketEvidence: Sendable {
    /// The sizes of the latest packets of each kind.
    private var history: [Kind: [Int]] = [:]
    private var latestTime: Duration?

    init() {}

    /// A packet that stands out: its position in a segment, and its strength.
    struct Hit: Sendable, Equatable {
        var position: Int
        /// The factor by which the packet is larger (`bound` or more) or smaller (3 or more) than usual.
        var strength: Double
    }

    /// Returns the packets of a segment that stand out, the most conspicuous packet first.
    ///
    /// - Parameter packets: the segment in decoding order. Key frames are no evidence, since the plan chooses them
    ///   anyway.
    mutating func hits(in packets: [PacketRecord]) -> [Hit] {
        let kinds = kinds(of: packets)
        let usual = usualSizes(of: packets, kinds)
        var hits: [Hit] = []
        var smallest = [Double](repeating: 1, count: packets.count)
        for (position, packet) in packets.enumerated() where kinds[position] != .key {
            let ratios = usual[position].map { Self.ratio(packet.byteCount, $0) }
            let largest = ratios.max() ?? Self.bound
            smallest[position] = ratios.min() ?? 1
            if largest >= Self.bound { hits.append(Hit(position: position, strength: largest)) }
        }
        hits += quietStretches(in: packets, kinds, smallest)
        remember(packets, kinds)
        return hits.sorted { $0.strength > $1.strength }
    }

    // MARK: Kinds

    private enum Kind: Hashable {
        case key
        /// A frame that is shown after all frames decoded before it.
        case forward
        /// A B-frame: a frame that is shown before a frame decoded earlier.
        case between
    }

    private mutating func kinds(of packets: [PacketRecord]) -> [Kind] {
        var latest = latestTime
        var kinds: [Kind] = []
        for packet in packets {
            if packet.isKey {
                kinds.append(.key)
            } else {
                kinds.append(latest.map { packet.time < $0 } == true ? .between : .forward)
            }
            latest = max(latest ?? packet.time, packet.time)
        }
        latestTime = latest
        return kinds
    }

    // MARK: Sizes

    /// Returns for each packet the median sizes of its neighbours of the same kind, before it and after it.
    ///
    /// Each side counts by itself, because at the edge of a long change only one side differs. A packet without enough
    /// neighbours has no medians, and stands out.
    private func usualSizes(of packets: [PacketRecord], _ kinds: [Kind]) -> [[Int]] {
        var usual = [[Int]](repeating: [], count: packets.count)
        for kind in [Kind.forward, .between] {
            let before = history[kind] ?? []
            let positions = packets.indices.filter { kinds[$0] == kind }
            let sizes = before + positions.map { packets[$0].byteCount }
            for (index, position) in positions.enumerated() {
                let here = before.count + index
                usual[position] = [
                    Self.median(sizes[max(0, here - Self.reach)..<here]),
                    Self.median(sizes[(here + 1)...].prefix(Self.reach)),
                ].compactMap { $0 }
            }
        }
        return usual
    }

    private mutating func remember(_ packets: [PacketRecord], _ kinds: [Kind]) {
        for kind in [Kind.forward, .between] {
            let sizes =
                (history[kind] ?? []) + packets.indices.filter { kinds[$0] == kind }.map { packets[$0].byteCount }
            history[kind] = Array(sizes.suffix(Self.reach))
        }
    }

    private static func median(_ sizes: some Collection<Int>) -> Int? {
        guard sizes.count >= 3 else { return nil }
        return sizes.sorted()[sizes.count / 2]
    }

    /// Returns the ratio of a size to the usual size, dampened because tiny packets differ by meaningless factors.
    private static func ratio(_ size: Int, _ usual: Int) -> Double {
        Double(size + smallSize) / Double(usual + smallSize)
    }

    /// Returns a packet for each stretch of several small packets, because a single small packet is common.
    private func quietStretches(in packets: [PacketRecord], _ kinds: [Kind], _ ratios: [Double]) -> [Hit] {
        var hits: [Hit] = []
        var stretch: [Int] = []
        func close() {
            if stretch.count >= Self.quietLength {
                let middle = stretch[stretch.count / 2]
                hits.append(Hit(position: middle, strength: 1 / max(ratios[middle], 0.001)))
            }
            stretch = []
        }
        for position in packets.indices.sorted(by: { packets[$0].time < packets[$1].time })
        where kinds[position] != .key {
            if ratios[position] <= Self.quietBound { stretch.append(position) } else { close() }
        }
        close()
        return hits
    }

    /// The least factor by which a packet that stands out is larger than usual.
    private static let bound = 4.0
    /// The largest share of its usual size that a packet of a quiet stretch has.
    private static let quietBound = 1.0 / 3
    /// The least number of packets in a quiet stretch.
    private static let quietLength = 5
    /// The number of neighbours of the same kind that count on each side.
    private static let reach = 30
    /// The size of an empty packet, roughly, in bytes.
    private static let smallSize = 60
}
