// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ViewerAgreement

@Suite("Gain maps")
struct GainMapMetadataTests {
    /// - Parameters:
    ///   - own: the numerator of the headroom for which the picture without its gain map is meant.
    ///   - other: the numerator of the headroom for which the picture with its gain map is meant.
    private static func metadata(
        version: UInt8 = 0, flags: UInt8 = 0x40, own: UInt8, other: UInt8, hasOneDivisor: Bool = false
    ) -> [UInt8] {
        func number(_ value: UInt8) -> [UInt8] { [0, 0, 0, value] }
        let headrooms =
            hasOneDivisor
            ? number(1) + number(own) + number(other) : number(own) + number(1) + number(other) + number(1)
        return [0, version, 0, 0, flags] + headrooms + [UInt8](repeating: 1, count: 40)
    }

    @Test("A gain map is ordinary if the picture is for a headroom of 0, and the other for more")
    func ordinary() {
        #expect(GainMapMetadata.isOrdinary(Self.metadata(own: 0, other: 2)))
        #expect(GainMapMetadata.isOrdinary(Self.metadata(flags: 0x48, own: 0, other: 2, hasOneDivisor: true)))
    }

    @Test("A gain map is not ordinary if it changes the picture on every display, or is not understood")
    func others() {
        #expect(!GainMapMetadata.isOrdinary(Self.metadata(own: 2, other: 0)))
        #expect(!GainMapMetadata.isOrdinary(Self.metadata(own: 0, other: 0)))
        #expect(!GainMapMetadata.isOrdinary(Self.metadata(own: 1, other: 2)))
        #expect(!GainMapMetadata.isOrdinary(Self.metadata(version: 1, own: 0, other: 2)))
        #expect(!GainMapMetadata.isOrdinary(Self.metadata(flags: 0x44, own: 0, other: 2)))
        #expect(!GainMapMetadata.isOrdinary(Self.metadata(flags: 0x48, own: 2, other: 0, hasOneDivisor: true)))
        #expect(!GainMapMetadata.isOrdinary([0, 0, 0, 0, 0]) && !GainMapMetadata.isOrdinary([]))
    }

    private static func xmp(_ text: String) -> [UInt8] { Array("http://ns.adobe.com/xap/1.0/\u{0}\(text)".utf8) }

    @Test(
        "Gain maps in XMP are ordinary for pictures of phones, as attributes and as elements",
        arguments: [
            "<x hdrgm:Version=\"1.0\"/>", "<x xmp:CreatorTool=\"HDRCapacity\"/>",
            "<x hdrgm:BaseRenditionIsHDR=\"False\" hdrgm:HDRCapacityMin=\"0\" hdrgm:HDRCapacityMax='2.3'/>",
            "<hdrgm:HDRCapacityMin>0.0</hdrgm:HDRCapacityMin><hdrgm:HDRCapacityMax> 1 </hdrgm:HDRCapacityMax>",
        ])
    func ordinaryText(text: String) {
        #expect(GainMapMetadata.isOrdinary(segment: Self.xmp(text)))
    }

    @Test(
        "Gain maps in XMP are not ordinary if they change the picture on every display, or are not understood",
        arguments: [
            "<x hdrgm:BaseRenditionIsHDR=\"True\"/>", "<x a:BaseRenditionIsHDR = 'True'/>",
            "<x hdrgm:HDRCapacityMin=\"-10\" hdrgm:HDRCapacityMax=\"-5\"/>",
            "<x hdrgm:HDRCapacityMin=\"2\" hdrgm:HDRCapacityMax=\"1\"/>",
            "<x hdrgm:HDRCapacityMin=\"0\"/>", "<x hdrgm:HDRCapacityMax=\"0\"/>",
            "<x hdrgm:HDRCapacityMin=\"&#45;1\" hdrgm:HDRCapacityMax=\"1\"/>",
        ])
    func otherText(text: String) {
        #expect(!GainMapMetadata.isOrdinary(segment: Self.xmp(text)))
    }
}
