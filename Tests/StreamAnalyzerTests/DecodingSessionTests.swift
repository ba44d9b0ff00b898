// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
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

    /// Sends a stream in pieces, at about its own speed.
    static func play(_ data: Data, _ session: SCVideoStreamAnalyzer.DecodingSession) async throws {
        let count = 80
        for index in 0..<count {
            try await session.send(data[(data.count * index / count)..<(data.count * (index + 1) / count)])
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func analyzer() throws -> SCVideoStreamAnalyzer {
        try SCVideoStreamAnalyzer.scripted(script, service: StreamService(laneCount: 2))
    }

    @Test("frames are displayed until something is found, and are blank until the stream is continued")
    func blankWhilePaused() async throws {
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

    @Test("with a gate, no frame that was not judged is displayed") func gate() async throws {
        let (analyzer, session) = (try analyzer(), SCVideoStreamAnalyzer.DecodingSession(format: .transportStream))
        let gate = try analyzer.gate(delay: .milliseconds(250))
        try analyzer.beginAnalysis(of: session)
        let data = try await Self.stream()
        let player = Task {
            try await Self.play(data, session)
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
        #expect(frames > 10 && blanks > 10)
        try await player.value
        withExtendedLifetime(gate) {}
    }

    @Test("a stream that cannot be decoded ends the changes with an error, and the stream is unknown")
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

    @Test("a session is begun once, and its bytes come after that") func misuse() async throws {
        let (analyzer, session) = (try analyzer(), SCVideoStreamAnalyzer.DecodingSession())
        await #expect(throws: SensitivityAnalysisError.self) { try await session.send([1]) }
        try analyzer.beginAnalysis(of: session)
        #expect(throws: SensitivityAnalysisError.self) { try analyzer.beginAnalysis(of: session) }
        analyzer.endAnalysis()
        // Nobody reads the bytes any more, and their sender does not wait.
        for _ in 0..<100 { try await session.send([UInt8](repeating: 0, count: 100_000)) }
        for await _ in session.pictures {}
    }

    @Test("a second session ends the first one") func replaced() async throws {
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
