// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import LiveStreams
import Testing

@testable import SensitiveContentAnalysis

/// The behaviour of Apple's stream analyzer, and of what this package adds to it.
@Suite(.timeLimit(.minutes(1))) struct VideoStreamAnalyzerTests {
    let script = ScriptedStreamSource()

    @Test func `An analyzer has no analysis before the first sensitive frame, and then its first one`() async throws {
        let analyzer = try SCVideoStreamAnalyzer.scripted(script)
        var changes = analyzer.analysisChanges.makeAsyncIterator()
        analyzer.analyze(try ScriptedStreamSource.frame(10))
        let first = try #require(try await changes.next())
        #expect(!first.isSensitive && analyzer.analysis == nil)
        analyzer.analyze(try ScriptedStreamSource.frame(220))
        let found = try #require(try await changes.next())
        #expect(found.isSensitive && found.detectedTypes == [.sexuallyExplicit])
        #expect(analyzer.analysis?.isSensitive == true && analyzer.analysis?.score == Float(220) / 255)
    }

    @Test func `A sensitive frame pauses the analysis until the stream is continued`() async throws {
        let clock = ManualStreamClock()
        let analyzer = try SCVideoStreamAnalyzer.scripted(script, service: clock.service)
        var changes = analyzer.analysisChanges.makeAsyncIterator()
        analyzer.analyze(try ScriptedStreamSource.frame(220))
        #expect(try await changes.next()?.isSensitive == true)
        let count = script.judgedCount
        for _ in 1...5 {
            analyzer.analyze(try ScriptedStreamSource.frame(10))
            clock.pass(.seconds(3600))
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(analyzer.analysis?.isSensitive == true)
        #expect(script.judgedCount == count)
        analyzer.continueStream()
        #expect(analyzer.analysis == nil)
        #expect(try await changes.next()?.isSensitive == false)
    }

    @Test("Content that is still sensitive after the stream was continued is a new finding")
    func newFinding() async throws {
        let analyzer = try SCVideoStreamAnalyzer.scripted(script)
        var changes = analyzer.analysisChanges.makeAsyncIterator()
        analyzer.analyze(try ScriptedStreamSource.frame(220))
        #expect(try await changes.next()?.isSensitive == true)
        analyzer.continueStream()
        #expect(try await changes.next()?.isSensitive == true)
    }

    @Test("A listener that starts late gets all changes since the creation of the analyzer")
    func lateListener() async throws {
        let analyzer = try SCVideoStreamAnalyzer.scripted(script)
        var early = analyzer.analysisChanges.makeAsyncIterator()
        analyzer.analyze(try ScriptedStreamSource.frame(10))
        _ = try await early.next()
        analyzer.analyze(try ScriptedStreamSource.frame(220))
        _ = try await early.next()
        for _ in 1...2 {
            var late = analyzer.analysisChanges.makeAsyncIterator()
            #expect(try await late.next()?.isSensitive == false)
            #expect(try await late.next()?.isSensitive == true)
        }
    }

    @Test("A finding reaches the other analyzers of the participant, and one continuation resumes them all")
    func participant() async throws {
        let service = ManualStreamClock().service
        let camera = try SCVideoStreamAnalyzer.scripted(script, participant: "p", service: service)
        let screen = try SCVideoStreamAnalyzer.scripted(script, participant: "p", service: service)
        let other = try SCVideoStreamAnalyzer.scripted(script, participant: "q", service: service)
        var changes = screen.analysisChanges.makeAsyncIterator()
        for analyzer in [screen, other] { analyzer.analyze(try ScriptedStreamSource.frame(10)) }
        #expect(try await changes.next()?.isSensitive == false)
        camera.analyze(try ScriptedStreamSource.frame(220))
        #expect(try await changes.next()?.isSensitive == true)
        #expect(screen.analysis != nil && other.analysis == nil)
        // The newest frame of the camera is analysed again, and would be found again.
        script.hold(true)
        screen.continueStream()
        #expect(screen.analysis == nil && camera.analysis == nil)
        script.hold(false)
    }

    @Test("The sequence ends with the analysis, and a new analysis has a new sequence")
    func endAnalysis() async throws {
        let analyzer = try SCVideoStreamAnalyzer.scripted(script)
        var changes = analyzer.analysisChanges.makeAsyncIterator()
        analyzer.analyze(try ScriptedStreamSource.frame(220))
        #expect(try await changes.next() != nil)
        analyzer.endAnalysis()
        #expect(try await changes.next() == nil)
        #expect(analyzer.analysis == nil)
        var later = analyzer.analysisChanges.makeAsyncIterator()
        analyzer.analyze(try ScriptedStreamSource.frame(10))
        #expect(try await later.next()?.isSensitive == false)
    }

    @Test("A failed analysis ends the sequence with its error, and the states go on")
    func failure() async throws {
        let clock = ManualStreamClock()
        let analyzer = try SCVideoStreamAnalyzer.scripted(script, service: clock.service)
        script.fail(AnalysisFailure(.modelUnavailable, "The model is gone."))
        var states = analyzer.states.makeAsyncIterator()
        analyzer.analyze(try ScriptedStreamSource.frame(10))
        await #expect(throws: SensitivityAnalysisError.self) {
            for try await _ in analyzer.analysisChanges {}
        }
        while let state = await states.next(isolation: nil) {
            if case .unknown(.analysisFailed(.modelUnavailable)) = state.kind { break }
        }
        script.fail(nil)
        clock.pass(.milliseconds(250))
        while let state = await states.next(isolation: nil) {
            if case .judged = state.kind { break }
        }
        #expect(analyzer.state.timeSinceJudgedFrame == .milliseconds(250))
    }

    @Test("Frames that are not judged for a second are unknown in the states, and no error of the sequence")
    func lateFrames() async throws {
        let clock = ManualStreamClock()
        let analyzer = try SCVideoStreamAnalyzer.scripted(script, service: clock.service)
        var (changes, states) = (analyzer.analysisChanges.makeAsyncIterator(), analyzer.states.makeAsyncIterator())
        analyzer.analyze(try ScriptedStreamSource.frame(10))
        #expect(try await changes.next()?.isSensitive == false)
        script.hold(true)
        clock.pass(.milliseconds(100))
        analyzer.analyze(try ScriptedStreamSource.frame(60))
        clock.pass(.seconds(1))
        while let state = await states.next(isolation: nil) {
            if case .unknown(.late) = state.kind { break }
        }
        #expect(analyzer.state.timeSinceJudgedFrame == .milliseconds(1100))
        script.hold(false)
        while analyzer.state.timeSinceJudgedFrame != .seconds(1) { await Task.yield() }
        guard case .unknown(.late) = analyzer.state.kind else {
            Issue.record("A stream that was late is judged at once.")
            return
        }
        clock.pass(.milliseconds(500))
        while let state = await states.next(isolation: nil) {
            if case .judged = state.kind { break }
        }
        analyzer.analyze(try ScriptedStreamSource.frame(220))
        #expect(try await changes.next()?.isSensitive == true)
    }

    @Test("The handler gets analyses and errors on the main actor") @MainActor func handler() async throws {
        let analyzer = try SCVideoStreamAnalyzer.scripted(script)
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        analyzer.analysisChangedHandler = { analysis, error in
            MainActor.assertIsolated()
            continuation.yield(analysis?.isSensitive ?? (error == nil))
        }
        analyzer.analyze(try ScriptedStreamSource.frame(220))
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() == true)
        script.fail(AnalysisFailure(.timedOut, ""))
        analyzer.continueStream()
        #expect(await iterator.next() == false)
    }

    @Test("A frame that was judged under an earlier policy is judged again under the policy in force")
    func policyChange() async throws {
        let analyzer = try SCVideoStreamAnalyzer.scripted(script)
        var changes = analyzer.analysisChanges.makeAsyncIterator()
        analyzer.analyze(try ScriptedStreamSource.frame(10))
        _ = try await changes.next()
        // The analyzer follows the policy in a task of its own, which has to listen first.
        while script.listenerCount == 0 { await Task.yield() }
        var states = analyzer.states.makeAsyncIterator()
        // A slow listener gets the newest state only, so the analysis waits until the listener has seen the first.
        script.hold(true)
        script.change(.descriptive)
        while let state = await states.next(isolation: nil) {
            if case .unknown(.notYetJudged) = state.kind { break }
        }
        script.hold(false)
        while let state = await states.next(isolation: nil) {
            if case .judged = state.kind { break }
        }
        #expect(script.judgedCount >= 2)
        script.change(.disabled)
        while let state = await states.next(isolation: nil) {
            if case .unknown(.analysisDisabled) = state.kind { break }
        }
    }

    @Test("Passing a frame does not wait for an analysis") func neverBlocks() throws {
        let analyzer = try SCVideoStreamAnalyzer.scripted(script, delay: .seconds(5))
        let frame = try ScriptedStreamSource.frame(10)
        let time = ContinuousClock().measure { for _ in 1...200 { analyzer.analyze(frame) } }
        #expect(time < .seconds(2))
    }

    @Test("A release closure may use the analyzer, because it is called without any lock")
    func releaseClosure() async throws {
        let analyzer = try SCVideoStreamAnalyzer.scripted(script)
        script.hold(true)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 36 * 4, alignment: 64)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 10)
        let base = UInt(bitPattern: memory.baseAddress)
        let (ended, continuation) = AsyncStream.makeStream(of: Int.self)
        // A fault would block the thread for good.
        BackgroundThread.start {
            for index in 0..<20 {
                guard let address = unsafe UnsafeRawPointer(bitPattern: base),
                    let frame = try? unsafe CVPixelBuffer(
                        width: 64, height: 36, pixelFormat: .bgra32,
                        planes: [CVPixelBuffer.Plane(baseAddress: address, bytesPerRow: 256)],
                        release: {
                            _ = analyzer.state
                            continuation.yield(index)
                        })
                else { return }
                analyzer.analyze(frame)
            }
        }
        var count = 0
        // The analyses that are held keep their frames, and so does the newest frame.
        for await _ in ended {
            count += 1
            if count == 15 { break }
        }
        #expect(count == 15)
        script.hold(false)
    }

    @Test("Any number of threads may use an analyzer at once") func threads() async throws {
        let analyzer = try SCVideoStreamAnalyzer.scripted(script)
        let frames = try [10, 220].map { try ScriptedStreamSource.frame($0) }
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask {
                    for step in 0..<50 {
                        analyzer.analyze(frames[(index + step) % 2])
                        if step % 10 == 0 { analyzer.continueStream() }
                        if step == 25, index == 0 { analyzer.endAnalysis() }
                        _ = analyzer.analysis
                    }
                }
            }
        }
    }

    @Test("Of more than a thousand unread changes only the newest is kept") func manyChanges() async throws {
        let log = AnalysisLog()
        let analyses = [StreamFinding.Level.harmless, .strong].map {
            SCSensitivityAnalysis(
                AnalysisBacking(
                    StreamFinding(level: $0, types: [], score: 0, modelName: "", policy: .simple), isIncoming: true))
        }
        for index in 0..<1000 { log.append(analyses[index % 2]) }
        var position = 0
        for index in 0..<3 { #expect(try await log.next(after: &position)?.isSensitive == (index % 2 == 1)) }
        log.append(analyses[1])
        #expect(try await log.next(after: &position)?.isSensitive == true)
        log.finish(.success(()))
        #expect(try await log.next(after: &position) == nil)
    }

    @Test("A cancelled listener stops at once") func cancelledListener() async throws {
        let analyzer = try SCVideoStreamAnalyzer.scripted(script)
        let task = Task {
            var count = 0
            for try await _ in analyzer.analysisChanges { count += 1 }
            return count
        }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(try await task.value == 0)
    }

    @Test("Guidance follows policy, direction and content", arguments: [false, true])
    func guidance(isIncoming: Bool) {
        for type in ContentType.allCases {
            let adult = StreamGuidance([type], policy: .simple, isIncoming: isIncoming)
            #expect(adult.indicatesSensitivity && adult.interruptsVideo)
            #expect(adult.mutesAudio == (type == .goreOrViolence && isIncoming))
            let child = StreamGuidance([type], policy: .descriptive, isIncoming: isIncoming)
            #expect(child.indicatesSensitivity && child.interruptsVideo && child.mutesAudio)
            #expect(StreamGuidance([type], policy: .disabled, isIncoming: isIncoming) == StreamGuidance())
        }
        #expect(StreamGuidance([], policy: .descriptive, isIncoming: isIncoming) == StreamGuidance())
    }

    @Test("The result of a still picture suggests no measures for streams") func stillPicture() {
        let analysis = SCSensitivityAnalysis(
            AnalysisBacking(MediaAnalysis(kind: .image, modelName: "m", policy: .descriptive)))
        #expect(!analysis.shouldIndicateSensitivity && !analysis.shouldInterruptVideo && !analysis.shouldMuteAudio)
    }

    @Test("Under a disabled policy an analyzer cannot be created") func disabledPolicy() {
        var source = script.source()
        source.check = { throw SensitivityAnalysisError(.analysisDisabled, message: "") }
        let error = #expect(throws: SensitivityAnalysisError.self) { try StreamBacking("a", .incoming, source) }
        #expect(error?.code == .analysisDisabled)
    }
}
