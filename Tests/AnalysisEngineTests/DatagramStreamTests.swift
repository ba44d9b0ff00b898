// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import HelperHost
import HelperProtocol
import TestSupport
import Testing

/// Live streams in datagrams of RTP, which ffmpeg sends and the real decoder reads.
@Suite(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"), .timeLimit(.minutes(3)))
struct DatagramStreamTests {
    static let codecs = [
        "H264": EncodedStreamTests.h264, "VP8": ["-c:v", "libvpx", "-g", "10", "-deadline", "realtime"],
        "H265": EncodedStreamTests.hevc,
    ]

    /// Returns the datagrams of a stream of 100 frames, each a little brighter than the last.
    static func datagrams(_ codec: String) async throws -> [[UInt8]] {
        let input = "color=black:s=320x180:r=25:d=4,geq=lum='30+2*N':cb=128:cr=128"
        return try await Datagrams.make(["-f", "lavfi", "-i", input, "-pix_fmt", "yuv420p"] + codecs[codec]!)
    }

    /// Decodes datagrams, behind a description.
    private static func decode(
        _ datagrams: [[UInt8]], _ description: String, display: Display = .ours, pause: Duration = .zero
    ) async throws -> EncodedStreamTests.Outcome {
        let framing = StreamFraming.datagrams(description: Array(description.utf8))
        let data = Data(framing.header + datagrams.compactMap { StreamFraming.record($0) }.joined())
        return try await EncodedStreamTests.decode(
            data, .datagrams, pieceLength: pause > .zero ? max(1, data.count / 100) : 10_000, pause: pause,
            display: display)
    }

    @Test("All frames of a stream in datagrams are decoded in their order", arguments: codecs.keys.sorted())
    func whole(codec: String) async throws {
        let outcome = try await Self.decode(Self.datagrams(codec), Datagrams.description(codec))
        #expect(outcome.failure == nil && outcome.hasEnded)
        #expect(outcome.levels.count >= 99 && outcome.levels == outcome.levels.sorted())
        #expect(Set(outcome.sizes) == [[320, 180]])
    }

    @Test(arguments: codecs.keys.sorted())
    func `A stream goes on although every twentieth datagram is lost and others change places`(codec: String)
        async throws
    {
        let whole = try await Self.datagrams(codec)
        var datagrams = whole.enumerated().filter { $0.offset < 10 || $0.offset % 20 != 7 }.map(\.element)
        for index in stride(from: 12, to: datagrams.count - 1, by: 11) { datagrams.swapAt(index, index + 1) }
        // Each loss is waited for by the clock, for a tenth of a second.
        let outcome = try await Self.decode(datagrams, Datagrams.description(codec), pause: .milliseconds(30))
        #expect(outcome.failure == nil && outcome.hasEnded)
        #expect(outcome.levels.count >= 60, "\(outcome.levels.count)")
    }

    @Test("A datagram by which the sender says goodbye does not end the stream before its end") func goodbye()
        async throws
    {
        var datagrams = try await Self.datagrams("VP8")
        datagrams.insert([0x80, 203, 0, 0], at: datagrams.count / 2)
        datagrams.insert([0x80, 201, 0, 1, 0, 0, 0, 0, 0x81, 203, 0, 1, 0, 0, 0, 0], at: datagrams.count / 3)
        let outcome = try await Self.decode(datagrams, Datagrams.description("VP8"))
        #expect(outcome.failure == nil && outcome.levels.count >= 99)
    }

    @Test("A stream of more than a megabyte does not hold the decoder, which reports to no sender")
    func long() async throws {
        let input = "testsrc2=s=320x180:r=25:d=12"
        let datagrams = try await Datagrams.make(["-f", "lavfi", "-i", input] + EncodedStreamTests.h264)
        #expect(datagrams.map(\.count).reduce(0, +) > 1_000_000)
        let outcome = try await Self.decode(datagrams, Datagrams.description("H264"))
        #expect(outcome.failure == nil && outcome.levels.count >= 299)
    }

    @Test("Datagrams that are no RTP, or of another payload type, give a failure or no frames")
    func noise() async throws {
        var random = SystemRandomNumberGenerator()
        let noise = (0..<300).map { _ in
            (0..<Int.random(in: 1...1400, using: &random)).map { _ in UInt8.random(in: 0...255) }
        }
        let outcome = try await Self.decode(noise, Datagrams.description("H264"))
        #expect(outcome.levels.isEmpty && (outcome.failure != nil || outcome.hasEnded))
        let other = try await Self.datagrams("VP8")
        let type = Datagrams.description("VP8").replacing("96", with: "97")
        #expect(try await Self.decode(other, type).levels.isEmpty)
    }

    @Test(
        "A description that is damaged, has no video or an unknown codec is refused",
        arguments: [
            "", "hello", "v=0\r\n", "v=0\r\nm=audio 0 RTP/AVP 0\r\n", "v=0\r\nm=video 0 RTP/AVP x\r\n",
            "v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 x-asf-pf/1000\r\n", "v=0\r\nm=video 0 RTP/AVP 96\r\n",
            "v=0\r\nm=video 0 RTP/AVP 26\r\na=rtpmap:26 JPEG/90000\r\na=rtpmap:26 VP8/90000\r\n",
            "v=0\u{0}\r\nm=video 0 RTP/AVP 26\r\n", String(repeating: "v=0\r\n", count: 3000),
        ])
    func descriptions(_ description: String) async throws {
        let outcome = try await Self.decode([[0x80, 96, 0, 1]], description)
        #expect([.unsupportedMedia, .malformedMedia].contains(outcome.failure?.code))
    }

    @Test("A stream in datagrams is refused where another player shows it, which may lose others")
    func otherPlayer() async throws {
        let outcome = try await Self.decode(
            Self.datagrams("VP8"), Datagrams.description("VP8"), display: .otherViewer)
        #expect(outcome.failure?.code == .unsupportedMedia && outcome.levels.isEmpty)
    }
}
