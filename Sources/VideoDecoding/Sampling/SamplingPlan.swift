// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Decides segment by segment which frames of a video are looked at.
///
/// A segment is what is decoded from one key frame on, in decoding order. The plan sees sizes and times only, and costs
/// nothing to make; what each preset can miss is in docs/video-sampling.md.
struct SamplingPlan: Sendable {
    private let preset: SamplingPreset
    private var evidence = PacketEvidence()
    private var budget = EvidenceBudget()
    /// The latest frame that is looked at for certain.
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
    ///   - packets: in decoding order, at least one.
    ///   - next: when the frame that follows the segment is shown; it begins another segment.
    ///   - isLast: whether the video ends with them; its last frame is always looked at.
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
        // Without a key frame to begin with, everything before has to have been decoded, and so will this be.
        if !packets[0].isKey {
            plan.decodesEverything = true
            wanted.insert(latest)
            if latestLook == nil, let first = packets.indices.min(by: { packets[$0].time < packets[$1].time }) {
                wanted.insert(first)
            }
        }
        if isLast { wanted.insert(latest) }
        // The next frame may be said to come before these.
        fill(&wanted, packets, from: before, until: max(next ?? .zero, packets[latest].time))
        addEvidence(of: packets, pixelCount, to: &plan, wanted)
        plan.wanted = wanted.union(plan.evidence).sorted()
        if let last = plan.wanted.map({ packets[$0].time }).max() { latestLook = max(latestLook ?? last, last) }
        return plan
    }

    /// Notes what has come of the evidence in a segment.
    mutating func noteEvidence(decoded frameCount: Int, hasShownAnotherScene: Bool) {
        budget.spend(frameCount, hasShownAnotherScene: hasShownAnotherScene)
    }

    /// Whether there are so few frames, as in a slide show, that each says more than its size.
    private func isSparse(_ packets: [PacketRecord], _ next: Duration?) -> Bool {
        let times = packets.map(\.time)
        let length = max(next ?? .zero, times.max() ?? .zero) - (times.min() ?? .zero)
        return packets.count > 1 && Double(packets.count) <= length / .seconds(1) * Self.sparseRate
    }

    /// Every key frame is looked at unless they come thick and fast, as in codecs that have nothing else.
    private mutating func wantsKey(_ packet: PacketRecord, shownUntil end: Duration) -> Bool {
        if let latestKey {
            keyDistances = keyDistances.suffix(7) + [packet.time - latestKey]
        }
        latestKey = packet.time
        let usual = usualKeySize ?? Double(packet.byteCount)
        usualKeySize = usual * 0.9 + Double(packet.byteCount) * 0.1
        guard let latestLook else { return true }
        let distance = packet.time - latestLook
        // A later one may be shown before an earlier one only in broken files, which are looked at in full.
        if distance < .zero { return true }
        switch preset {
        case .fast: return distance >= Self.fastDistance
        default:
            let ratio = Double(packet.byteCount + 60) / (usual + 60)
            // Until another frame takes its place: one that stays is looked at, however soon it follows.
            return end - latestLook >= Self.keyDistance || ratio > 1.5 || ratio < 0.67
        }
    }

    /// Adds frames so that none are further apart than the longest gap, those first that need the least decoding.
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

    /// Nothing is left unseen for longer than this, as far as there are frames.
    ///
    /// Where key frames are close, as from phones and in streaming, a longer gap means that one is damaged or left out.
    private var longestGap: Duration {
        let areClose = keyDistances.count >= 3 && keyDistances.allSatisfy { $0 <= Self.closeDistance }
        return areClose ? Self.closeDistance : Self.farDistance
    }

    private static let closeDistance = Duration.milliseconds(2100)
    private static let farDistance = Duration.seconds(10)
    /// Of key frames that are closer together than this not all are looked at.
    private static let keyDistance = Duration.milliseconds(260)
    private static let fastDistance = Duration.milliseconds(1900)
    private static let looksPerSecond = 4.0
    /// In frames a second.
    private static let sparseRate = 4.0
}

/// Which frames of a segment are to be looked at.
struct SegmentPlan: Sendable, Equatable {
    /// The positions of the frames in the order of decoding.
    var wanted: [Int] = []
    /// Whether all frames have to be decoded, for themselves or for the segments that follow.
    var decodesEverything = false
    /// Those of the wanted frames that are wanted for the sizes of their packets only.
    var evidence: Set<Int> = []

    init() {}
}

/// What a container says about one encoded frame, without decoding it.
struct PacketRecord: Sendable, Hashable {
    /// The moment at which the frame is shown.
    var time: Duration
    /// The size of the encoded frame in bytes.
    var byteCount: Int
    /// Whether decoding can begin with this frame.
    var isKey: Bool

    init(time: Duration, byteCount: Int, isKey: Bool) {
        self.time = time
        self.byteCount = byteCount
        self.isKey = isKey
    }
}
