// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import HelperService
import TestSupport
import Testing

@testable import VideoDecoding

@Suite("Packets of a transport stream")
struct TransportPacketsTests {
    private static func packets(_ count: Int, distance: Int = 188) -> [UInt8] {
        [UInt8](
            repeatElement([0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 1, count: distance - 4), count: count).joined())
    }

    /// - Parameter step: how many bytes are read at a time.
    private static func haveShifted(_ parts: [UInt8]..., step: Int = 1000) -> Bool {
        let file = Array(parts.joined())
        var packets = TransportPackets()
        for start in stride(from: 0, to: file.count, by: step) {
            packets.add(Array(file[start..<min(file.count, start + step)])) { _ in }
        }
        return packets.haveShifted
    }

    @Test("have not shifted where all keep their distance, whatever is behind the last", arguments: [188, 192, 204])
    func plain(distance: Int) {
        #expect(!Self.haveShifted(Self.packets(40, distance: distance)))
        #expect(!Self.haveShifted([3, 3], Self.packets(40, distance: distance), [5, 5, 5]))
        // A damaged packet.
        #expect(
            !Self.haveShifted(
                Self.packets(20, distance: distance), [UInt8](repeating: 9, count: distance),
                Self.packets(20, distance: distance)))
    }

    @Test("have shifted where they go on at other places, or at another distance", arguments: [1000, 1 << 20])
    func shifted(step: Int) {
        #expect(Self.haveShifted(Self.packets(20), [9], Self.packets(20), step: step))
        #expect(Self.haveShifted(Self.packets(20), [UInt8](repeating: 9, count: 100), Self.packets(20), step: step))
        #expect(Self.haveShifted(Self.packets(20), Self.packets(20, distance: 192), step: step))
    }
}
