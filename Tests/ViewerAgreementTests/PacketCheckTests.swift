// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ViewerAgreement

@Suite("Packets of which players show different pictures")
struct PacketCheckTests {
    private static func hidesFrame(_ packet: [UInt8]) -> Bool {
        PacketCheck.hidesFrame(byteCount: packet.count) { position, count in
            position < 0 ? [] : Array(packet.dropFirst(position).prefix(count))
        }
    }

    @Test("A VP9 frame that shows another again has nothing behind it")
    func shownAgain() {
        #expect(!Self.hidesFrame([0x88]))
        #expect(Self.hidesFrame([0x88, 0x82, 0x49]))
        #expect(!Self.hidesFrame([0xB4, 0x00]))
        #expect(Self.hidesFrame([0xB4, 0x00, 0x82]))
        #expect(!Self.hidesFrame([0x82, 0x49, 0x83, 0x42]))
        #expect(!Self.hidesFrame([]))
    }

    @Test("The sizes of frames in a VP9 packet add up to the packet")
    func superframe() {
        let frames: [UInt8] = [0x82, 1, 2, 3, 0x86, 1]
        #expect(!Self.hidesFrame(frames + [0xC1, 4, 2, 0xC1]))
        #expect(Self.hidesFrame(frames + [0xC1, 4, 1, 0xC1]))
        #expect(Self.hidesFrame(frames + [0xC0, 4, 0xC0]))
        #expect(!Self.hidesFrame(frames + [0xC9, 4, 0, 2, 0, 0xC9]))
        // The last byte looks like the end of a superframe index, but the packet is too short for an index.
        #expect(!Self.hidesFrame([0x82, 0xC1]))
    }

    /// Frame headers of an encoder that was written for this test: two headers exchange both references (one with
    /// segments and filter changes), two pairs copy or replace one reference, and the last is a key frame.
    @Test(
        "A VP8 frame is doubtful if it exchanges the two frames that are kept",
        arguments: [
            ("D1000061A7200AAA00", true),
            ("910200F5A87A89BFD46170B93F9DEA3A8F153BFD794AC0", true),
            ("D1000061A72009AA00", false),
            ("910200F5A87A89BFD46170B93F9DEA3A8F153BFD39CAC0", false),
            ("D1000061A7202AA800", false),
            ("910200F5A87A89BFD46170B93F9DEA3A8F153BFE772B00", false),
            ("D0000061A7200AAA00", false),
        ])
    func exchange(header: String, hasDisagreement: Bool) {
        let digits = Array(header)
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16)! }
        #expect(VP8Header.exchangesReferences(bytes) == hasDisagreement)
        for count in 0..<bytes.count { _ = VP8Header.exchangesReferences(Array(bytes.prefix(count))) }
    }
}
