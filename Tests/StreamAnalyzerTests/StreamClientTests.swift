// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import Synchronization
import Testing

@testable import SensitiveContentAnalysis

/// Code that was written for Apple's systems, on a scripted stream.
@Suite(.timeLimit(.minutes(1))) struct StreamClientTests {
    let script = ScriptedStreamSource()

    /// Waits until a condition holds; the time limit of the suite ends the wait.
    func eventually(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("An app with one serial queue blurs the stream until it is resumed") func serialQueue() async throws {
        let client = SerialQueueClient()
        client.start { [script] in try SCVideoStreamAnalyzer.scripted(script) }
        client.push(try ScriptedStreamSource.frame(220))
        try await eventually { client.blurs }
        client.push(try ScriptedStreamSource.frame(10))
        client.resume()
        try await eventually { !client.blurs }
        client.stop()
    }

    @Test("A wrapper that listens before it begins gets each event once, and none of an earlier analyzer")
    func wrapper() async throws {
        let client = StreamMonitorClient()
        var events = client.events.makeAsyncIterator()
        try await client.begin { [script] in try SCVideoStreamAnalyzer.scripted(script) }
        await client.push(try ScriptedStreamSource.frame(10))
        #expect(await events.next() == .clear)
        await client.push(try ScriptedStreamSource.frame(220))
        #expect(await events.next() == .sensitive(indicates: true, interrupts: true, mutes: false))
        await client.end()
        try await client.begin { [script] in try SCVideoStreamAnalyzer.scripted(script) }
        await client.push(try ScriptedStreamSource.frame(240))
        #expect(await events.next() == .sensitive(indicates: true, interrupts: true, mutes: true))
        script.fail(AnalysisFailure(.timedOut, ""))
        await client.resume()
        await client.push(try ScriptedStreamSource.frame(10))
        #expect(await events.next() == .failed)
    }

    @Test("A renderer for WebRTC converts two I420 frames a second and hides a sensitive stream")
    func webRTC() async throws {
        let (clock, start) = (ManualStreamClock(), Date())
        let analyzer = try SCVideoStreamAnalyzer.scripted(script, service: clock.service)
        let time = Mutex(start)
        let client = WebRTCRendererClient(analyzer) { time.withLock { $0 } }
        /// Renders ten frames in a second, and returns which of them were analysed.
        func renderSecond(level: UInt8) -> [Bool] {
            let luma = [UInt8](repeating: level, count: 64 * 36), chroma = [UInt8](repeating: 128, count: 32 * 18)
            return (0..<10).map { _ in
                defer {
                    time.withLock { $0 += 0.1 }
                    clock.pass(.milliseconds(100))
                }
                return luma.withUnsafeBufferPointer { luma in
                    chroma.withUnsafeBufferPointer { chroma in
                        client.renderFrame(
                            WebRTCRendererClient.I420(
                                width: 64, height: 36, dataY: luma.baseAddress!, dataU: chroma.baseAddress!,
                                dataV: chroma.baseAddress!, strideY: 64, strideU: 32, strideV: 32))
                    }
                }
            }
        }
        #expect(renderSecond(level: 10).count(where: \.self) == 2)
        try await eventually { script.judgedCount > 0 }
        #expect(!client.isHidden)
        #expect(renderSecond(level: 240).count(where: \.self) == 2)
        try await eventually { client.isHidden && client.isMuted }
    }

    @Test("The steps of Apple's article interrupt the call until the person continues") @MainActor
    func article() async throws {
        let client = ArticleClient(try SCVideoStreamAnalyzer.scripted(script))
        client.analyzer.analyze(try ScriptedStreamSource.frame(220))
        while !client.isInterrupted { try await Task.sleep(for: .milliseconds(5)) }
        #expect(!client.isMuted && client.lastError == nil && client.analyzer.analysis?.isSensitive == true)
        // The newest frame is analysed after the choice, and would be a finding again if it were still sensitive.
        client.analyzer.analyze(try ScriptedStreamSource.frame(10))
        client.userChoseToContinue()
        #expect(client.analyzer.analysis == nil)
    }
}
