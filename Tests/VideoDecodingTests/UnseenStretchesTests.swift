// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import VideoDecoding

@Suite("Stretches that could not be looked at")
struct UnseenStretchesTests {
    private enum Event {
        case miss(Int64)
        case see(Int64)
    }

    /// Returns the longest unseen stretch after these events, in microseconds.
    private static func longest(_ events: [Event]) -> Int64 {
        var stretches = UnseenStretches()
        for event in events {
            switch event {
            case .miss(let moment): stretches.miss(at: moment)
            case .see(let moment): stretches.see(at: moment)
            }
        }
        return stretches.longest
    }

    @Test("A track without missing frames has no unseen stretch")
    func nothing() {
        #expect(Self.longest([]) == 0)
        #expect(Self.longest([.see(0), .see(10_000_000)]) == 0)
    }

    @Test("An unseen stretch reaches from its first missing frame to the next frame that was seen")
    func one() {
        #expect(
            Self.longest([.see(0), .miss(1_000_000), .miss(1_200_000), .see(1_500_000), .see(9_000_000)]) == 500_000)
    }

    @Test("An unseen stretch begins with its earliest frame, in whatever order frames are missed")
    func order() {
        #expect(Self.longest([.miss(500_000), .miss(100_000), .see(600_000)]) == 500_000)
    }

    @Test("Unseen stretches that touch each other count as one")
    func touching() {
        #expect(Self.longest([.miss(0), .see(300_000), .miss(300_000), .see(600_000)]) == 600_000)
        let chain = (0..<100).flatMap { index -> [Event] in [.miss(index * 10_000), .see((index + 1) * 10_000)] }
        #expect(Self.longest(chain) == 1_000_000)
    }

    @Test("Unseen stretches that overlap count as one")
    func overlapping() {
        #expect(Self.longest([.miss(0), .see(400_000), .miss(200_000), .see(500_000)]) == 500_000)
    }

    @Test("Unseen stretches with a frame between them count by themselves")
    func apart() {
        #expect(Self.longest([.miss(0), .see(300_000), .miss(300_001), .see(700_000)]) == 399_999)
        #expect(Self.longest([.miss(0), .see(300_000), .miss(400_000), .see(500_000)]) == 300_000)
    }

    @Test("A stretch that ends before it began has no length, and does not hide a later one")
    func backwards() {
        #expect(Self.longest([.miss(1_000_000), .see(500_000)]) == 0)
        #expect(Self.longest([.miss(1_000_000), .see(500_000), .miss(2_000_000), .see(2_300_000)]) == 300_000)
    }
}
