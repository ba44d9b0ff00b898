// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The table of how often elements may stand in a Matroska file")
struct MatroskaQuantitiesTests {
    private static func element(_ identifier: UInt32, _ content: [UInt8] = []) -> [UInt8] {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: identifier >> $0) }
        return bytes.drop { $0 == 0 } + [0x40 | UInt8(content.count >> 8), UInt8(content.count & 255)] + content
    }

    private static func areKept(_ content: [UInt8], in container: UInt32) throws -> Bool {
        let file = try InputFile(SealedMemory.copying(element(container, content)).descriptor)
        var reader = MatroskaElements(file)
        return try MatroskaQuantities.areKept(by: #require(try reader.element(at: 0)), &reader)
    }

    @Test("Each element may stand as often as the table says, and no more")
    func quantities() throws {
        for (container, contents) in MatroskaQuantities.contents {
            // A void element may stand anywhere.
            let void = Self.element(0xEC, [0])
            for name in contents.single {
                #expect(try Self.areKept(Self.element(name) + void, in: container), "\(name)")
                #expect(try !Self.areKept(Self.element(name) + void + Self.element(name), in: container), "\(name)")
            }
            for name in contents.repeated {
                #expect(try Self.areKept(Self.element(name) + void + Self.element(name), in: container), "\(name)")
            }
        }
    }

    @Test("An element in another's place is noticed")
    func places() throws {
        let names = MatroskaQuantities.contents.values.flatMap { $0.single.union($0.repeated) }
        for (container, contents) in MatroskaQuantities.contents {
            for name in Set(names).subtracting(contents.single).subtracting(contents.repeated) {
                #expect(try !Self.areKept(Self.element(name), in: container), "\(name) in \(container)")
            }
        }
    }
}
