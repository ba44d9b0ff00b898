// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import VideoDecoding

@Suite("The bytes of a file that no packet has")
struct PacketCoverageTests {
    /// Whether the bytes before the last of these packets have a gap.
    private static func hasGap(_ packets: [(Int64, Int)], hasPieces: Bool = true) -> Bool {
        var coverage = PacketCoverage(hasPieces: hasPieces)
        for (position, byteCount) in packets { coverage.add(position: position, byteCount: byteCount) }
        return coverage.takeGapBeforeLatest()
    }

    @Test("A picture in pieces fills the gaps between the sound that is read before it")
    func pieces() {
        // Packets of sound at 0, 50,000 and 100,000 are read before a picture in pieces at 1000.
        #expect(!Self.hasGap([(0, 900), (50_000, 900), (100_000, 900), (1000, 97_000)]))
        // The next picture follows behind all these packets.
        #expect(!Self.hasGap([(0, 900), (50_000, 900), (100_000, 900), (1000, 97_000), (101_000, 100)]))
    }

    @Test("A gap behind the bytes of a picture is kept for the next one")
    func behind() {
        var coverage = PacketCoverage(hasPieces: true)
        // The second packet of sound is read before the picture, but lies behind the picture and the gap.
        for (position, byteCount) in [(0, 900), (100_000, 900), (1000, 20_000)] as [(Int64, Int)] {
            coverage.add(position: position, byteCount: byteCount)
        }
        let before = coverage.takeGapBeforeLatest()
        coverage.add(position: 101_000, byteCount: 100)
        let between = coverage.takeGapBeforeLatest()
        coverage.add(position: 101_200, byteCount: 100)
        let after = coverage.takeGapBeforeLatest()
        #expect(!before && between && !after)
    }

    @Test("A gap before a picture is not filled by it")
    func before() {
        #expect(Self.hasGap([(0, 900), (100_000, 900), (101_000, 500_000)]))
        #expect(Self.hasGap([(0, 900), (50_000, 900), (150_000, 900), (60_000, 90_000)]))
    }

    @Test("Packets in one page have its bytes together")
    func pages() {
        let page = Array(repeating: (Int64(0), 500), count: 8)
        #expect(!Self.hasGap(page + [(4300, 500)], hasPieces: false))
        #expect(Self.hasGap(page + [(9000, 500)], hasPieces: false))
        // In files without pieces, a packet fills no gap before bytes that were read earlier.
        #expect(Self.hasGap([(0, 500), (1000, 500), (500, 4000), (9000, 500)], hasPieces: false))
    }

    @Test("More gaps than are kept still count")
    func manyGaps() {
        let packets = (0..<200 as Range<Int64>).map { ($0 * 100_000, 100) }
        #expect(Self.hasGap(packets))
        #expect(Self.hasGap(packets + [(20_000_000, 100)]))
    }
}
