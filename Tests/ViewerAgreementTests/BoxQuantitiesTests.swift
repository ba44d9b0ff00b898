// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The table of how often boxes may stand in an MP4 file")
struct BoxQuantitiesTests {
    private static func box(_ name: some StringProtocol, _ content: [UInt8] = []) -> [UInt8] {
        let size = content.count + 8
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(name.utf8) + content
    }

    private static func areKept(_ bytes: [UInt8], in container: String) throws -> Bool {
        let file = try InputFile(SealedMemory.copying(bytes).descriptor)
        var reader = MediaBoxes(file, maximumCount: 1000)
        let boxes = try reader.boxes(in: 0..<file.byteCount)
        return try BoxQuantities.areKept(by: boxes, in: container, &reader)
    }

    @Test("Each box may stand as often as the table says, and no more", arguments: BoxQuantities.contents.keys.sorted())
    func quantities(container: String) throws {
        let contents = try #require(BoxQuantities.contents[container])
        for alternatives in contents.single {
            for first in alternatives {
                #expect(try Self.areKept(Self.box(first) + Self.box("abcd"), in: container), "\(first)")
                for second in alternatives {
                    let both = Self.box(first) + Self.box("abcd") + Self.box(second)
                    #expect(try !Self.areKept(both, in: container), "\(first) and \(second)")
                }
            }
        }
        for name in contents.repeated {
            #expect(try Self.areKept(Self.box(name) + Self.box(name) + Self.box(name), in: container), "\(name)")
        }
    }

    @Test("A box in a container of another kind is noticed at every depth")
    func places() throws {
        let names = BoxQuantities.contents.values.flatMap { $0.single.flatMap(\.self) + $0.repeated }
        for (container, contents) in BoxQuantities.contents {
            let own = contents.single.reduce(contents.repeated) { $0.union($1) }
            for name in Set(names).subtracting(own) {
                #expect(try !Self.areKept(Self.box(name), in: container), "\(name) in \(container)")
            }
        }
        let table = Self.box("stbl", Self.box("stsd") + Self.box("stco") + Self.box("co64"))
        let track = Self.box("trak", Self.box("mdia", Self.box("minf", table)))
        #expect(try !Self.areKept(Self.box("moov", track), in: BoxQuantities.file))
        #expect(try !Self.areKept(Self.box("moov", Self.box("udta", Self.box("trak"))), in: BoxQuantities.file))
    }

    @Test("Boxes in the metadata of QuickTime, which has no version, are read as those of the standard")
    func metadata() throws {
        for version in [[], [0, 0, 0, 0]] as [[UInt8]] {
            let start = version + Self.box("hdlr")
            #expect(try Self.areKept(Self.box("meta", start), in: "moov"))
            #expect(try !Self.areKept(Self.box("meta", start + Self.box("hdlr")), in: "moov"))
        }
    }

    @Test("The parameters of a codec belong to a format of that codec")
    func parameters() throws {
        func fit(_ format: String, _ name: String) throws -> Bool {
            let file = try InputFile(SealedMemory.copying(Self.box(name)).descriptor)
            var reader = MediaBoxes(file, maximumCount: 10)
            return BoxQuantities.fit(format, try reader.boxes(in: 0..<file.byteCount))
        }
        for (format, name) in [
            ("avc1", "avcC"), ("hev1", "hvcC"), ("av01", "av1C"), ("vp09", "vpcC"), ("mp4v", "esds"), ("jpeg", "colr"),
        ] {
            #expect(try fit(format, name), "\(format) \(name)")
            // The format of encrypted pictures does not name their codec.
            #expect(try fit("encv", name))
        }
        for (format, name) in [
            ("jpeg", "esds"), ("mp4v", "avcC"), ("avc1", "hvcC"), ("vp08", "av1C"), ("av01", "vpcC"),
        ] {
            #expect(try !fit(format, name), "\(format) \(name)")
        }
    }
}
