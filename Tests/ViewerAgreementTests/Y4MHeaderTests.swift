// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@testable import ViewerAgreement

@Suite("Y4M streams for another player")
struct Y4MHeaderTests {
    private static func finding(_ words: String) -> DecodingFailure? {
        do {
            try Y4MHeader.check("YUV4MPEG2 W2 H2\(words.isEmpty ? "" : " ")\(words)")
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "A header of words that every reader takes in the same way has no finding",
        arguments: [
            "", "F0:0", "F30000:1001 Ip A1:1 C420mpeg2 XCOLORRANGE=FULL", "A16:15", "A0:0", "I?",
            "Ip A1:1 C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED",
        ])
    func ordinary(words: String) { #expect(Self.finding(words) == nil) }

    @Test(
        "A word of a Y4M header that another reader may take in another way makes the stream unknown",
        arguments: [
            "ZxW640xH480", "A1:9x", "A1:9,", "A1:1 ZxA1:9", "Itx", "ZxIt", "W4", "H4 H6", "F30:1 F1:61", "W+2", "F1:61",
            "F25", "F25:1:1", "F1001:1", "F9999999999:1", "XYSCSS=444", "C420 XYSCSS=422", "XOTHER=1", "XCOLORRANGE=1",
            "A1:1:1\u{1B} Iz", " ", "w2",
        ])
    func otherWords(words: String) { #expect(Self.finding(words)?.disagreement != nil) }

    @Test("Fields, stretched pixels and other colours have findings of their own")
    func looks() {
        for words in ["It", "Ib", "Im"] { #expect(Self.finding(words)?.disagreement == .interlacedFrame) }
        for words in ["A7:1", "A1:7", "A999999999:1", "A1:0"] {
            #expect(Self.finding(words)?.disagreement == .stretchedPixels)
        }
        #expect(Self.finding("C422")?.disagreement == .unusualY4MColours)
    }

    @Test("A header without a width, or of another format, is malformed")
    func damage() {
        for line in ["YUV4MPEG2 H2", "YUV4MPEG2", "YUV4MPEG W2 H2"] {
            #expect(throws: DecodingFailure.self) { try Y4MHeader.check(line) }
        }
        #expect(throws: DecodingFailure.self) { try Y4MFrames(header: Array("YUV4MPEG2 W2 H2".utf8)) }
        // A stream of a header alone shows nothing.
        let header = Array("YUV4MPEG2 W2 H2\n".utf8)
        #expect(throws: DecodingFailure.self) { try Y4MFrames(header: header).checkEnd(header.count) }
    }

    @Test("Frames without pixels, and longer ones than this library takes, are named so")
    func sizes() throws {
        for line in ["YUV4MPEG2 W0 H2", "YUV4MPEG2 W2 H0"] {
            let failure = #expect(throws: DecodingFailure.self) { try Y4MHeader.check(line) }
            #expect(failure?.detail == "a Y4M frame without pixels")
        }
        let failure = #expect(throws: DecodingFailure.self) { try Y4MHeader.check("YUV4MPEG2 W99999 H2") }
        #expect(failure?.reason == .edgeTooLong)
    }

    @Test("Frames follow each other behind plain markers, and the stream ends behind a frame")
    func frames() throws {
        let header = Array("YUV4MPEG2 W2 H2\nFRAME\n".utf8)
        var frames = try Y4MFrames(header: header)
        try frames.add(position: 22, byteCount: 6)
        try frames.add(position: 34, byteCount: 6)
        try frames.checkEnd(40)
        #expect(throws: DecodingFailure.self) { try frames.checkEnd(43) }
        // The marker of the third frame has a parameter of two bytes and a space.
        #expect(throws: DecodingFailure(.y4mFrameWithParameters)) { try frames.add(position: 49, byteCount: 6) }
    }
}
