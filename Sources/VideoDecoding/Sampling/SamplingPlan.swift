// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Chooses the frames of a video that are looked at, segment by segment.
///
/// A segment holds the frames that are decoded from one key frame on, in decoding order. The plan uses only sizes and
/// times, so it costs nothing. docs/video-sampling.md describes the content that each preset can miss.
struct SamplingPlan: Sendable {
    private let preset: SamplingPreset
    private var evidence = PacketEvidence()
    private var budget = EvidenceBudget()
    /// The moment of the latest frame that is certainly looked at.
    private var latestLook: Duration?
    private var usualKeySize: Double?
    /// The latest distances between key frames.
    private var keyDistances: [Duration] = []
    private var latestKey: Duration?

    init(preset: SamplingPreset) {
        self.preset = preset
    }

    /// Plans a segment.
    ///
    /// - Parameters:
    ///   - packets: the packets in decoding order, at least one.
    ///   - next: the moment of the frame that follows the segment and begins another one.
    ///   - isLast: whether the video ends with the segment; its last frame is always looked at.
    ///   - pixelCount: the pixels of one frame.
    mutating func plan(
        _ packets: [PacketRecord], next: Duration?, isLast: Bool, pixelCount: Int
    ) -> SegmentPlan {
        var plan = SegmentPlan()
        guard !packets.isEmpty else { return plan }
        let latest = packets.indices.max { packets[$0].time < packets[$1].time } ?? 0
        if preset.decodesEverything {
            plan.wanted = Array(packets.indices)
            plan.decodesEverything = true
            return plan
        }
        if preset == .balanced, isSparse(packets, next) {
            plan.wanted = Array(packets.indices)
            latestLook = packets[latest].time
            return plan
        }
        let before = latestLook
        var wanted: Set<Int> = []
        let shown = packets.map(\.time).sorted()
        for position in packets.indices where packets[position].isKey {
            let time = packets[position].time
            let end = shown.first { $0 > time } ?? next ?? time
            if wantsKey(packets[position], shownUntil: end) {
                wanted.insert(position)
                latestLook = time
            }
        }
        // A segment that begins without a key frame depends on all earlier frames, so all of it is decoded.
        if !packets[0].isKey {
            plan.decodesEverything = true
            wanted.insert(latest)
            if latestLook == nil, let first = packets.indices.min(by: { packets[$0].time < packets[$1].time }) {
                wanted.insert(first)
            }
        }
        if isLast { wanted.insert(latest) }
        // The next frame in decoding order may be shown before the last frames of the segment.
        fill(&wanted, packets, from: before, until: max(next ?? .zero, packets[latest].time))
        addEvidence(of: packets, pixelCount, to: &plan, wanted)
        plan.wanted = wanted.union(plan.evidence).sorted()
        if let last = plan.wanted.map({ packets[$0].time }).max() { latestLook = max(latestLook ?? last, last) }
        return plan
    }

    /// Notes the result of decoding the evidence in a segment.
    mutating func noteEvidence(decoded frameCount: Int, hasShownAnotherScene: Bool) {
        budget.spend(frameCount, hasShownAnotherScene: hasShownAnotherScene)
    }

    /// Whether frames are so rare, as in a slide show, that each frame matters regardless of its size.
    private func isSparse(_ packets: [PacketRecord], _ next: Duration?) -> Bool {
        let times = packets.map(\.time)
        let length = max(next ?? .zero, times.max() ?? .zero) - (times.min() ?? .zero)
        return packets.count > 1 && Double(packets.count) <= length / .seconds(1) * Self.sparseRate
    }

    /// Whether a key frame is looked at; all are, unless they follow closely, as in codecs that have only key frames.
    private mutating func wantsKey(_ packet: PacketRecord, shownUntil end: Duration) -> Bool {
        if let latestKey {
            keyDistances = keyDistances.suffix(7) + [packet.time - latestKey]
        }
        latestKey = packet.time
        let usual = usualKeySize ?? Double(packet.byteCount)
        usualKeySize = usual * 0.9 + Double(packet.byteCount) * 0.1
        guard let latestLook else { return true }
        let distance = packet.time - latestLook
        // Only in broken files, a later key frame is shown before an earlier one. All of these frames are looked at.
        if distance < .zero { return true }
        switch preset {
        case .fast: return distance >= Self.fastDistance
        default:
            let ratio = Double(packet.byteCount + 60) / (usual + 60)
            // The time counts to the end of the frame, so a frame that stays is looked at even if it follows soon.
            return end - latestLook >= Self.keyDistance || ratio > 1.5 || ratio < 0.67
        }
    }

    /// Adds frames until no gap between two looks exceeds `longestGap`; prefers frames that need the least decoding.
    private func fill(
        _ wanted: inout Set<Int>, _ packets: [PacketRecord], from before: Duration?, until end: Duration
    ) {
        let shown = packets.indices.sorted { packets[$0].time < packets[$1].time }
        var looks = wanted.map { packets[$0].time }.sorted()
        var from = before ?? looks.first ?? packets[shown[0]].time
        looks.append(end)
        let longest = longestGap
        for look in looks {
            while look - from > longest {
                let isOneEnough = look - from <= longest * 2
                let position =
                    isOneEnough
                    ? shown.first { packets[$0].time >= look - longest }
                    : shown.last { packets[$0].time <= from + longest }
                guard let position, packets[position].time > from else { break }
                wanted.insert(position)
                from = packets[position].time
            }
            from = max(from, look)
        }
    }

    private mutating func addEvidence(
        of packets: [PacketRecord], _ pixelCount: Int, to plan: inout SegmentPlan, _ wanted: Set<Int>
    ) {
        guard preset == .balanced else { return }
        let hits = evidence.hits(in: packets)
        let times = packets.map(\.time)
        let seconds = ((times.max() ?? .zero) - (times.min() ?? .zero)) / .seconds(1)
        budget.earn(frameCount: packets.count, seconds: seconds, pixelCount: pixelCount)
        let most = max(2, Int((seconds * Self.looksPerSecond).rounded(.up)))
        let already = plan.decodesEverything ? packets.count : (wanted.max() ?? 0) + 1
        for hit in hits.prefix(most) where !wanted.contains(hit.position) {
            let cost = max(0, hit.position + 1 - already)
            if budget.allows(cost) { plan.evidence.insert(hit.position) }
        }
    }

    /// The longest time between two looks, as far as there are frames.
    ///
    /// If key frames are close, as from phones and in streaming, a longer gap means a damaged or missing key frame.
    private var longestGap: Duration {
        let areClose = keyDistances.count >= 3 && keyDistances.allSatisfy { $0 <= Self.closeDistance }
        return areClose ? Self.closeDistance : Self.farDistance
    }

    private static let closeDistance = Duration.milliseconds(2100)
    private static let farDistance = Duration.seconds(10)
    /// The distance of key frames below which not all of them are looked at.
    private static let keyDistance = Duration.milliseconds(260)
    private static let fastDistance = Duration.milliseconds(1900)
    private static let looksPerSecond = 4.0
    /// The highest frame rate of a sparse segment, in frames a second.
    private static let sparseRate = 4.0
}
