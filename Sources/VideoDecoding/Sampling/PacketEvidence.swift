// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Finds the packets whose size gives away that something else is shown.
///
/// A change of the picture costs an encoder more bytes than its neighbours of the same kind; a still picture amid noise
/// costs fewer. Measured on an inserted half second: docs/video-sampling.md.
struct PacketEvidence: Sendable {
    /// The sizes of the latest packets of each kind.
    private var history: [Kind: [Int]] = [:]
    private var latestTime: Duration?

    init() {}

    /// A position in a segment, and how far its packet stands out.
    struct Hit: Sendable, Equatable {
        var position: Int
        /// How many times larger or smaller than usual the packet is, at least the bound.
        var strength: Double
    }

    /// The packets of a segment that stand out, the most conspicuous first.
    ///
    /// - Parameter packets: the segment in decoding order; key frames are never evidence, since they are looked at anyway.
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
        /// Shown after everything that was decoded before.
        case forward
        /// Shown before something that was decoded before: a B-frame.
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

    /// For each packet the median sizes of its neighbours of the same kind, before it and after it.
    ///
    /// Each side by itself: at the edge of something that goes on for long, only one side is unlike it. Where nothing is
    /// known of either, there are none, and the packet stands out.
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

    /// Packets of a few bytes differ by factors without meaning anything.
    private static func ratio(_ size: Int, _ usual: Int) -> Double {
        Double(size + smallSize) / Double(usual + smallSize)
    }

    /// Several small packets in a row: a single one is common.
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

    /// How many times larger than usual a packet has to be.
    private static let bound = 4.0
    /// How many times its usual size a packet of a quiet stretch may have.
    private static let quietBound = 1.0 / 3
    /// How many packets make a quiet stretch.
    private static let quietLength = 5
    /// How many neighbours of the same kind count on each side.
    private static let reach = 30
    /// In bytes; an empty packet has about as many.
    private static let smallSize = 60
}
