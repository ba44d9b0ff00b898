// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@testable import VideoDecoding

@Suite("The plan of what is looked at in a video")
struct SamplingPlanTests {
    /// Packets of thirty frames a second, with key frames at the given positions.
    static func packets(
        _ count: Int, keys: Set<Int> = [0], size: (Int) -> Int = { _ in 1000 }, from start: Duration = .zero
    ) -> [PacketRecord] {
        (0..<count).map { index in
            PacketRecord(
                time: start + .seconds(index) / 30, byteCount: keys.contains(index) ? 20_000 : size(index),
                isKey: keys.contains(index))
        }
    }

    static let hd = 1920 * 1080

    /// Plans segment after segment; like the reader, it cuts packets into segments at key frames.
    static func looks(
        _ preset: SamplingPreset, _ packets: [PacketRecord], pixelCount: Int = hd
    ) -> (times: [Duration], decoded: Int) {
        var plan = SamplingPlan(preset: preset)
        var looks: [Duration] = []
        var decoded = 0
        var start = 0
        while start < packets.count {
            let key = packets[(start + 1)...].firstIndex(where: \.isKey) ?? packets.count
            // Like the reader, a segment has twenty seconds at most.
            let end = packets[start..<key].firstIndex { $0.time - packets[start].time >= .seconds(20) } ?? key
            let segment = Array(packets[start..<end])
            let planned = plan.plan(
                segment, next: end < packets.count ? packets[end].time : nil, isLast: end == packets.count,
                pixelCount: pixelCount)
            looks += planned.wanted.map { segment[$0].time }
            decoded += planned.decodesEverything ? segment.count : (planned.wanted.max() ?? -1) + 1
            if !planned.evidence.isEmpty {
                plan.noteEvidence(decoded: planned.wanted.max() ?? 0, hasShownAnotherScene: false)
            }
            start = end
        }
        return (looks, decoded)
    }

    @Test(
        "The plan has the first and the last frame, and every key frame", arguments: [SamplingPreset.fast, .balanced])
    func ends(preset: SamplingPreset) {
        let packets = Self.packets(300, keys: [0, 75, 150, 225])
        let looks = Self.looks(preset, packets)
        #expect(looks.times.first == .zero && looks.times.last == packets[299].time)
        for key in [0, 75, 150, 225] { #expect(looks.times.contains(packets[key].time)) }
        #expect(looks.times.count == 5)
    }

    @Test(
        "The plan leaves no gap of more than ten seconds, however far apart key frames are",
        arguments: [240, 310, 599, 900, 3000])
    func longGaps(group: Int) {
        let keys = Set(stride(from: 0, to: 3000, by: group))
        for preset in [SamplingPreset.fast, .balanced] {
            let looks = Self.looks(preset, Self.packets(3000, keys: keys)).times.sorted()
            for (one, next) in zip(looks, looks.dropFirst()) { #expect(next - one <= .seconds(10), "\(preset)") }
        }
    }

    @Test("The plan leaves no gap of more than ten seconds before a key frame whose time goes back")
    func goingBack() {
        var packets: [PacketRecord] = []
        for group in 0..<3 {
            let start = Duration.seconds(19 * group)
            packets += Self.packets(570, from: start) + [PacketRecord(time: start, byteCount: 20_000, isKey: true)]
        }
        for preset in [SamplingPreset.fast, .balanced] {
            let looks = Self.looks(preset, packets).times.sorted() + [.seconds(57)]
            // The plan need not select the last frame of a group.
            let longest = Duration.milliseconds(10_040)
            for (one, next) in zip(looks, looks.dropFirst()) { #expect(next - one <= longest, "\(preset)") }
        }
    }

    @Test("The plan leaves gaps of about two seconds at most if key frames are that close, also if one is damaged")
    func shortGaps() {
        // One of the key frames, which are two seconds apart, is not marked as a key frame.
        let keys = Set(stride(from: 0, to: 1800, by: 60)).subtracting([600])
        let looks = Self.looks(.balanced, Self.packets(1800, keys: keys)).times.sorted()
        for (one, next) in zip(looks, looks.dropFirst()) { #expect(next - one <= .milliseconds(2100)) }
    }

    @Test func `A video that begins without a key frame is cut nowhere and decoded whole`() {
        let looks = Self.looks(.balanced, Self.packets(600, keys: []))
        #expect(looks.decoded == 600 && looks.times.count >= 2)
    }

    @Test("The plan has packets much larger than their neighbours, and nothing beyond them")
    func largePackets() {
        let packets = Self.packets(250) { $0 == 100 || $0 == 115 ? 9000 : 1000 + $0 % 7 * 50 }
        let looks = Self.looks(.balanced, packets)
        #expect(looks.times.contains(packets[100].time) && looks.times.contains(packets[115].time))
        #expect(looks.times.count == 4)
        #expect(Self.looks(.fast, packets).times.count == 2)
    }

    @Test("The plan looks into a stretch of packets much smaller than their neighbours, but not at single ones")
    func smallPackets() {
        let packets = Self.packets(250) { (100..<115).contains($0) || $0 == 200 ? 300 : 3000 }
        let looks = Self.looks(.balanced, packets).times
        #expect(looks.contains { $0 >= packets[100].time && $0 < packets[115].time })
        #expect(!looks.contains(packets[200].time))
    }

    @Test("The plan tells frames that are shown before others from frames that are not")
    func reorderedPackets() {
        // A B-frame between two P-frames is as small as usual for its kind, so its size is no evidence.
        var packets = Self.packets(240) { $0 % 2 == 1 ? 4000 : 400 }
        for index in stride(from: 1, to: 239, by: 2) {
            let time = packets[index].time
            packets[index].time = packets[index + 1].time
            packets[index + 1].time = time
        }
        #expect(Self.looks(.balanced, packets).times.count == 2)
    }

    @Test("The plan stops following evidence that leads nowhere, and goes on with small pictures")
    func budget() {
        // Every tenth packet is large, but no selected frame ever shows another scene.
        let keys = Set(stride(from: 0, to: 18_000, by: 250))
        let packets = Self.packets(18_000, keys: keys) { $0 % 10 == 5 ? 9000 : 1000 }
        let large = Self.looks(.balanced, packets)
        #expect(large.decoded < 18_000 / 4)
        let small = Self.looks(.balanced, packets, pixelCount: 320 * 180)
        #expect(small.decoded > 18_000 * 9 / 10)
    }

    @Test("The plan has every frame of a slide show")
    func sparse() {
        let packets = (0..<40).map {
            PacketRecord(time: .milliseconds(700) * $0, byteCount: 50_000, isKey: $0 == 0)
        }
        #expect(Self.looks(.balanced, packets).times.count == 40)
    }

    @Test("Videos of key frames only are sampled four times a second, and more when their size changes")
    func intraOnly() {
        let packets = (0..<300).map {
            PacketRecord(
                time: .seconds($0) / 30, byteCount: (141...143).contains($0) ? 40_000 : 20_000, isKey: true)
        }
        let looks = Self.looks(.balanced, packets)
        #expect(looks.times.contains { $0 >= packets[141].time && $0 <= packets[143].time })
        #expect(looks.times.count >= 36 && looks.times.count <= 50)
        #expect(Self.looks(.fast, packets).times.count <= 7)
    }

    @Test(
        "The thorough and the protective preset decode everything", arguments: [SamplingPreset.thorough, .protective])
    func everything(preset: SamplingPreset) {
        let looks = Self.looks(preset, Self.packets(500, keys: [0, 250]))
        #expect(looks.decoded == 500 && looks.times.count == 500)
    }
}
