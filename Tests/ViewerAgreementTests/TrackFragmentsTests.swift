// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The places of samples in fragments of an MP4 file")
struct TrackFragmentsTests {
    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(content.count + 8)] + Array(name.utf8) + content
    }

    private static func header(hasBase: Bool, beginsAtFragment: Bool) -> [UInt8] {
        box("tfhd", [0, beginsAtFragment ? 2 : 0, 0, hasBase ? 1 : 0, 0, 0, 0, 1])
    }

    private static func run(hasOffset: Bool = true) -> [UInt8] {
        box("trun", [0, 0, 2, hasOffset ? 1 : 0, 0, 0, 0, 1])
    }

    private static func arePlaced(_ tracks: [UInt8]...) throws -> Bool {
        let bytes = box("moof", tracks.flatMap { box("traf", $0) })
        let file = try InputFile(SealedMemory.copying(bytes).descriptor)
        var reader = MediaBoxes(file, maximumCount: 100)
        let fragment = try #require(try reader.boxes(in: 0..<file.byteCount).first)
        return try TrackFragments.arePlaced(in: fragment, of: file, &reader)
    }

    private static let plain = header(hasBase: false, beginsAtFragment: false)
    private static let atFragment = header(hasBase: false, beginsAtFragment: true)
    private static let withBase = header(hasBase: true, beginsAtFragment: false)

    @Test("Samples whose place is given raise no doubt")
    func given() throws {
        for header in [Self.plain, Self.atFragment, Self.withBase] {
            #expect(try Self.arePlaced(header + Self.run(hasOffset: false)))
            #expect(try Self.arePlaced(header + Self.run() + Self.run()))
        }
        #expect(try Self.arePlaced(Self.plain + Self.run(), Self.atFragment + Self.run()))
        #expect(try Self.arePlaced(Self.plain + Self.run(), Self.withBase + Self.run()))
        #expect(try Self.arePlaced(Self.plain + Self.run(), Self.plain))
    }

    @Test("Samples whose place follows from others are noticed, as is a place that is given twice")
    func implicit() throws {
        #expect(try !Self.arePlaced(Self.atFragment + Self.run() + Self.run(hasOffset: false)))
        #expect(try !Self.arePlaced(Self.plain + Self.run(), Self.plain + Self.run()))
        #expect(try !Self.arePlaced(Self.header(hasBase: true, beginsAtFragment: true) + Self.run()))
        #expect(try !Self.arePlaced(Self.run() + Self.atFragment))
        #expect(try !Self.arePlaced(Self.run()))
    }
}
