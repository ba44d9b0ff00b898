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
                + [UInt8](repeating: 9, count: 150 * 80 - 4)
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
    }
}
