// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The frames of a DV file")
struct DVFramesTests {
    private static func frame(sequenceCount: Int) -> [UInt8] {
        (0..<sequenceCount).flatMap { number in
            [0x1F, UInt8(number << 4 | 7), 0, sequenceCount == 12 ? 0xBF : 0x3F]
                + [UInt8](repeating: 0, count: 150 * 80 - 4)
        }
    }

    private static func haveDisagreement(_ bytes: [UInt8]) throws -> Bool {
        try DVFrames.haveDisagreement(InputFile(SealedMemory.copying(bytes).descriptor))
    }

    @Test("Frames of one system are plain, and another system or bytes between frames are not", arguments: [10, 12])
    func frames(sequenceCount: Int) throws {
        let frame = Self.frame(sequenceCount: sequenceCount)
        #expect(try !Self.haveDisagreement(frame + frame))
        #expect(try !Self.haveDisagreement((frame + frame).dropLast(5000)))
        #expect(try Self.haveDisagreement(frame + [0] + frame))
        #expect(try Self.haveDisagreement(frame.dropLast(150 * 80) + frame))
        #expect(try Self.haveDisagreement(frame + Self.frame(sequenceCount: 22 - sequenceCount)))
        #expect(try Self.haveDisagreement([0x1F, 7]))
        // The kind of a frame by which FFmpeg takes another size, and the application of another standard.
        for (place, value) in [(451, 0x14), (4, 1)] as [(Int, UInt8)] {
            var other = frame
            other[place] = value
            #expect(try Self.haveDisagreement(frame + other))
        }
    }

    @Test("A packet of DV has the size that the kind of its frame says")
    func packets() {
        for (kind, system, size) in [(0, 0x3F, 120_000), (0, 0xBF, 144_000), (4, 0x3F, 240_000), (0x14, 0xBF, 576_000)]
        {
            var bytes = [UInt8](repeating: 0, count: size)
            (bytes[3], bytes[451]) = (UInt8(system), UInt8(kind))
            func hasDisagreement(_ bytes: [UInt8]) -> Bool {
                PacketCheck.hasDisagreement(byteCount: bytes.count, of: .dv) { Array(bytes.dropFirst($0).prefix($1)) }
            }
            #expect(!hasDisagreement(bytes))
            #expect(hasDisagreement(bytes + [0]))
            bytes[451] = 0x02
            #expect(hasDisagreement(bytes))
        }
    }
}
