// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import LiveStreams
import Synchronization
import TestSupport
import Testing

@testable import SensitiveContentAnalysis

/// Encoded streams with the real decoder, and verdicts by the brightness of frames.
@Suite(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"), .timeLimit(.minutes(3)))
struct DecodingSessionTests {
    let script = ScriptedStreamSource()

    /// Returns a stream of four seconds; frames from the second 2 on are bright, and thereby sensitive.
    static func stream(_ brightness: String = "0.1+0.85*gte(T,2)") async throws -> Data {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("stream.ts")
            try await TestVideo.make(
                file, seconds: 4, brightness: brightness, size: "64x36",
                ["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "10", "-f", "mpegts"])
            return try Data(contentsOf: file)
        }
    }

    /// Sends a stream in pieces, at about its own speed or a multiple of it.
    static func play(_ data: Data, _ session: SCVideoStreamAnalyzer.DecodingSession, speed: Double = 1) async throws {
        let count = 80
        for index in 0..<count {
            try await session.send(data[(data.count * index / count)..<(data.count * (index + 1) / count)])
            try await Task.sleep(for: .milliseconds(50) / speed)
        }
    }

    private func analyzer() throws -> SCVideoStreamAnalyzer {
        try SCVideoStreamAnalyzer.scripted(script, service: StreamService(laneCount: 2))
    }

    @Test
    func `Frames are displayed until something is found, and are blank until the stream is continued`() async throws {
        let (analyzer, session) = (try analyzer(), SCVideoStreamAnalyzer.DecodingSession())
        try analyzer.beginAnalysis(of: session)
        let data = try await Self.stream()
        let player = Task { try await Self.play(data + data, session) }
        var (frames, blanks) = (0, 0)
        var changes = analyzer.analysisChanges.makeAsyncIterator()
        for await picture in session.pictures {
            switch picture {
            case .frame(let frame):
                #expect(frame.width == 64 && frame.height == 36 && blanks == 0)
                frames += 1
            case .blank(let width, let height):
                #expect(width == 64 && height == 36 && analyzer.analysis?.isSensitive == true)
                blanks += 1
            }
            if blanks == 10 { break }
        }
        #expect(frames > 10)
        #expect(try await changes.next()?.isSensitive == false)
        #expect(try await changes.next()?.isSensitive == true)
        analyzer.continueStreamAcceptingContent()
        var isDisplayed = false
        for await picture in session.pictures {
            if case .frame = picture {
                isDisplayed = true
                break
            }
        }
        #expect(isDisplayed)
        player.cancel()
    }

    @Test("With a gate, no frame that was not judged is displayed, at any speed", arguments: [1, 10])
    func gate(speed: Double) async throws {
        let (analyzer, session) = (try analyzer(), SCVideoStreamAnalyzer.DecodingSession(format: .transportStream))
        let gate = try analyzer.gate(delay: .milliseconds(250))
        try analyzer.beginAnalysis(of: session)
        let data = try await Self.stream()
        let player = Task {
            try await Self.play(data, session, speed: speed)
            session.finish()
        }
        var (frames, blanks) = (0, 0)
        for await picture in session.pictures {
            switch picture {
            case .frame(let frame):
                #expect(frame.withPlane(0) { $0[0] } < 200)
                frames += 1
            case .blank: blanks += 1
            }
        }
        #expect(speed > 1 || frames > 10)
        #expect(blanks > 10)
        try await player.value
        withExtendedLifetime(gate) {}
    }

    @Test("A stream that cannot be decoded ends the changes with an error, and the stream is unknown")
    func failure() async throws {
        let (analyzer, session) = (try analyzer(), SCVideoStreamAnalyzer.DecodingSession())
        try analyzer.beginAnalysis(of: session)
        try await session.send([UInt8](repeating: 7, count: 100_000))
        session.finish()
        await #expect(throws: SensitivityAnalysisError.self) {
            for try await _ in analyzer.analysisChanges {}
        }
        guard case .unknown(.analysisFailed(.unsupportedMedia)) = analyzer.state.kind else {
            Issue.record("the state is \(analyzer.state.kind)")
            return
        }
        for await _ in session.pictures {}
    }

    @Test("A session is begun once, and its bytes come after that") func misuse() async throws {
        let (analyzer, session) = (try analyzer(), SCVideoStreamAnalyzer.DecodingSession())
        await #expect(throws: SensitivityAnalysisError.self) { try await session.send([1]) }
        try analyzer.beginAnalysis(of: session)
        #expect(throws: SensitivityAnalysisError.self) { try analyzer.beginAnalysis(of: session) }
        analyzer.endAnalysis()
        // Nobody reads the bytes any more, and their sender does not wait.
        for _ in 0..<100 { try await session.send([UInt8](repeating: 0, count: 100_000)) }
        for await _ in session.pictures {}
    }

    @Test("Packets and datagrams are displayed, and are refused by sessions of another kind") func otherKinds()
        async throws
    {
        let analyzer = try analyzer()
        let datagrams = try await Datagrams.make([
            "-f", "lavfi", "-i", "color=gray:s=64x36:r=25:d=2", "-c:v", "libvpx", "-deadline", "realtime",
        ])
        let session = SCVideoStreamAnalyzer.DecodingSession(sessionDescription: Datagrams.description("VP8"))
        try analyzer.beginAnalysis(of: session)
        await #expect(throws: SensitivityAnalysisError.self) { try await session.send([1]) }
        await #expect(throws: SensitivityAnalysisError.self) { try await session.send(packet: [1], at: .zero) }
        await #expect(throws: SensitivityAnalysisError.self) { try await session.send(datagram: []) }
        for datagram in datagrams { try await session.send(datagram: datagram) }
        session.finish()
        var shown = false
        for await picture in session.pictures { if case .frame = picture { shown = true } }
        #expect(shown)

        #expect(throws: SensitivityAnalysisError.self) {
            try analyzer.beginAnalysis(of: SCVideoStreamAnalyzer.DecodingSession(sessionDescription: ""))
        }

        let picture = try Data(contentsOf: TestFiles.fixtures.appendingPathComponent("plain/plain.jpg"))
        let packets = SCVideoStreamAnalyzer.DecodingSession(packetsOf: .jpeg)
        try analyzer.beginAnalysis(of: packets)
        await #expect(throws: SensitivityAnalysisError.self) { try await packets.send(datagram: [1]) }
        await #expect(throws: SensitivityAnalysisError.self) { try await packets.send(packet: [], at: .zero) }
        await #expect(throws: SensitivityAnalysisError.self) { try await packets.send(packet: [1], at: .seconds(-1)) }
        for index in 0..<10 { try await packets.send(packet: picture, at: .milliseconds(40 * index)) }
        packets.finish()
        var frames = 0
        for await picture in packets.pictures { if case .frame = picture { frames += 1 } }
        #expect(frames > 0)
    }

    /// Returns the packets of a stream of 50 frames, as a demuxer would give them.
    private static func packets(_ name: String) async throws -> (SCVideoStreamAnalyzer.DecodingSession.Codec, [[UInt8]])
    {
        // The format, the options, and the bytes with which each packet begins.
        let ways: [String: (SCVideoStreamAnalyzer.DecodingSession.Codec, [String], [UInt8])] = [
            "h264": (
                .h264, ["-c:v", "libx264", "-tune", "zerolatency", "-bsf:v", "h264_metadata=aud=insert", "-f", "h264"],
                [0, 0, 0, 1, 9]
            ),
            "hevc": (
                .hevc,
                [
                    "-c:v", "libx265", "-x265-params", "log-level=none:bframes=0", "-bsf:v", "hevc_metadata=aud=insert",
                    "-f", "hevc",
                ], [0, 0, 0, 1, 0x46, 1]
            ),
            "vp8": (.vp8, ["-c:v", "libvpx", "-deadline", "realtime", "-f", "ivf"], []),
            "vp9": (.vp9, ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-f", "ivf"], []),
            "jpeg": (.jpeg, ["-c:v", "mjpeg", "-f", "mjpeg"], [0xFF, 0xD8, 0xFF]),
        ]
        let (codec, options, beginning) = try #require(ways[name])
        let bytes = try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("stream")
            try await TestVideo.make(file, seconds: 2, brightness: "0.1+0.01*N", size: "64x36", options)
            return [UInt8](try Data(contentsOf: file))
        }
        if !beginning.isEmpty {
            let starts = bytes.indices.filter { bytes[$0...].starts(with: beginning) }
            return (codec, zip(starts, starts.dropFirst() + [bytes.count]).map { Array(bytes[$0..<$1]) })
        }
        var (position, packets) = (32, [[UInt8]]())
        while position + 12 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 | Int(bytes[position + $1]) << ($1 * 8) }
            packets.append(Array(bytes[(position + 12)..<(position + 12 + length)]))
            position += 12 + length
        }
        return (codec, packets)
    }

    @Test("Packets of each codec without a container are decoded", arguments: ["h264", "hevc", "vp8", "vp9", "jpeg"])
    func packets(name: String) async throws {
        let (codec, packets) = try await Self.packets(name)
        #expect(packets.count == 50)
        let (analyzer, session) = (try analyzer(), SCVideoStreamAnalyzer.DecodingSession(packetsOf: codec))
        try analyzer.beginAnalysis(of: session)
        let display = Task {
            var count = 0
            for await picture in session.pictures { if case .frame = picture { count += 1 } }
            return count
        }
        for (number, packet) in packets.enumerated() {
            try await session.send(packet: packet, at: .milliseconds(40 * number))
            try await Task.sleep(for: .milliseconds(25))
        }
        session.finish()
        // The view gets the newest picture only.
        #expect(await display.value >= 5)
    }

    @Test("A second session ends the first one") func replaced() async throws {
        let (analyzer, first) = (try analyzer(), SCVideoStreamAnalyzer.DecodingSession())
        try analyzer.beginAnalysis(of: first)
        let second = SCVideoStreamAnalyzer.DecodingSession()
        try analyzer.beginAnalysis(of: second)
        for await _ in first.pictures {}
        let data = try await Self.stream("0.1+0.001*N")
        try await second.send(data)
        second.finish()
        var frames = 0
        for await picture in second.pictures { if case .frame = picture { frames += 1 } }
        #expect(frames > 0)
    }
}
