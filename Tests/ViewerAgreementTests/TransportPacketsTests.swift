// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("Packets of a transport stream")
struct TransportPacketsTests {
    /// - Parameter other: the offset in each packet at which another packet could begin; nil for none.
    private static func packets(_ count: Int, distance: Int = 188, other: Int? = nil) -> [UInt8] {
        var packet = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 1, count: distance - 4)
        if let other { packet[other] = 0x47 }
        return [UInt8](repeatElement(packet, count: count).joined())
    }

    /// - Parameter step: the number of bytes that are added at a time.
    private static func hideOthers(_ parts: [UInt8]..., step: Int = 1000) -> Bool {
        let file = Array(parts.joined())
        var packets = TransportPackets()
        for start in stride(from: 0, to: file.count, by: step) {
            packets.add(Array(file[start..<min(file.count, start + step)])) { _ in }
        }
        return packets.hideOthers
    }

    @Test(
        "Transport packets that keep their distance, or go on elsewhere after damage, hide no others",
        arguments: [188, 192, 204])
    func plain(distance: Int) {
        #expect(!Self.hideOthers(Self.packets(40, distance: distance)))
        #expect(!Self.hideOthers([3, 3], Self.packets(40, distance: distance, other: 90), [5, 5, 5]))
        let damaged = [UInt8](repeating: 9, count: distance)
        #expect(!Self.hideOthers(Self.packets(20, distance: distance), damaged, Self.packets(20, distance: distance)))
        #expect(!Self.hideOthers(Self.packets(20, distance: distance), [9, 9], Self.packets(20, distance: distance)))
    }

    @Test("Transport packets hide others that lie at the distance of the first packets", arguments: [1000, 1 << 20])
    func others(step: Int) {
        // The later packets are shifted by ten bytes, so their byte 178 lies where the first distance expects a packet.
        let moved = [UInt8](repeating: 9, count: 10)
        #expect(Self.hideOthers(Self.packets(20), moved, Self.packets(20, other: 178), step: step))
        #expect(!Self.hideOthers(Self.packets(20), moved, Self.packets(20, other: 177), step: step))
        #expect(!Self.hideOthers(Self.packets(20), moved, Self.packets(2, other: 178), Self.packets(9), step: step))
    }
}
