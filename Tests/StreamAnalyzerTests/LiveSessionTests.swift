// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import InterventionKit
import LiveStreams
import Synchronization
import Testing

@testable import SensitiveContentAnalysis

/// A live session with its analyzer, gate and intervention, on a scripted stream.
@Suite(.timeLimit(.minutes(1))) struct LiveSessionTests {
    let script = ScriptedStreamSource()

    /// A session whose policy a test changes.
    final class Policy: Sendable {
        private let state: Mutex<(SCSensitivityAnalysisPolicy, [AsyncStream<SCSensitivityAnalysisPolicy>.Continuation])>

        init(_ policy: SCSensitivityAnalysisPolicy) {
            state = Mutex((policy, []))
        }

        var value: SCSensitivityAnalysisPolicy { state.withLock { $0.0 } }

        func change(to policy: SCSensitivityAnalysisPolicy) {
            let listeners = state.withLock { state in
                state.0 = policy
                return state.1
            }
            for listener in listeners { listener.yield(policy) }
        }

        func changes() -> AsyncStream<SCSensitivityAnalysisPolicy> {
            AsyncStream { continuation in state.withLock { $0.1.append(continuation) } }
        }
    }

    func session(_ policy: Policy, fails: Bool = false) -> LiveSession {
        LiveSession(
            LiveSessionSource(policy: { policy.value }, policyChanges: { policy.changes() }) { [script] in
                if fails { throw SensitivityAnalysisError(.modelUnavailable, message: "") }
                return try SCVideoStreamAnalyzer.scripted(script, service: StreamService(laneCount: 2))
            }, abilities: [], delay: .milliseconds(100))
    }

    /// Shows frames of a level until it is cancelled; a busy machine may judge some of them too late.
    private func feeder(_ session: LiveSession, _ level: UInt8) -> Task<Void, any Error> {
        Task {
            while !Task.isCancelled {
                session.show(try ScriptedStreamSource.frame(level))
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Shows frames of a level until a picture of the wanted kind is displayed while a condition holds, and returns it.
    ///
    /// Without the condition, a cover may stem from earlier frames that were judged late.
    func picture(
        _ session: LiveSession, _ level: UInt8, isFrame: Bool, while condition: (LiveSession) -> Bool = { _ in true }
    ) async throws -> LiveSession.Picture? {
        let feeder = feeder(session, level)
        defer { feeder.cancel() }
        for await picture in session.pictures where condition(session) {
            switch picture {
            case .frame(let frame):
                // Frames of an earlier level may still be in the gate.
                if isFrame, frame.withPlane(0, { $0[0] }) == level { return picture }
            case .cover: if !isFrame { return picture }
            }
        }
        return nil
    }

    @Test("A harmless stream is displayed, and a sensitive one is covered until the person decides")
    func decision() async throws {
        let session = session(Policy(.simpleInterventions))
        #expect(session.flow.presentation.pane == .checking && session.mutesSound)
        // A machine that stops for a second makes the stream late, and judged again.
        let shown = try await picture(session, 10, isFrame: true) {
            if case .judged? = $0.analysisState?.kind { true } else { false }
        }
        #expect(shown != nil && session.flow.presentation.isUncovered && !session.mutesSound)
        let hidden = try await picture(session, 220, isFrame: false) { $0.flow.presentation.pane == .notice }
        guard case .cover(let samples?, 64, 36) = hidden else {
            Issue.record("there is no cover with samples")
            return
        }
        #expect(samples.width <= 9 && samples.height <= 9)
        #expect(session.mutesSound)
        _ = session.choose(.show, in: session.flow)
        #expect(try await picture(session, 220, isFrame: true) != nil)
        #expect(session.flow.presentation.isUncovered)
    }

    @Test("A child sees a sensitive stream only after two panes") func child() async throws {
        let session = session(Policy(.descriptiveInterventions))
        script.change(.descriptive)
        let hidden = try await picture(session, 220, isFrame: false) { $0.flow.presentation.pane == .explanation }
        #expect(hidden != nil)
        _ = session.choose(.proceed, in: session.flow)
        #expect(session.flow.presentation.pane == .confirmation && session.mutesSound)
        _ = session.choose(.view, in: session.flow)
        #expect(try await picture(session, 220, isFrame: true) != nil)
    }

    @Test("Under a disabled policy frames are displayed at once, and covered when it is enabled")
    func disabledPolicy() async throws {
        let policy = Policy(.disabled)
        let session = session(policy)
        #expect(try await picture(session, 220, isFrame: true) != nil)
        policy.change(to: .simpleInterventions)
        #expect(try await picture(session, 220, isFrame: false) != nil)
    }

    @Test("A stream that nothing can analyse is covered until the person decides") func noAnalyzer() async throws {
        let session = session(Policy(.simpleInterventions), fails: true)
        #expect(try await picture(session, 10, isFrame: false) != nil)
        #expect(session.flow.verdict == .unknown && session.flow.presentation.pane == .notice)
        _ = session.choose(.show, in: session.flow)
        #expect(try await picture(session, 10, isFrame: true) != nil)
    }

    @Test("A stream that was harmless under a laxer policy is covered until it is judged again") func tightened()
        async throws
    {
        let policy = Policy(.simpleInterventions)
        let session = session(policy)
        #expect(try await picture(session, 10, isFrame: true) != nil)
        script.change(.descriptive)
        policy.change(to: .descriptiveInterventions)
        while session.flow.policy != .descriptiveInterventions { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try await picture(session, 10, isFrame: true) != nil)
    }

    /// Waits for a cover, which replaces every picture that was displayed before.
    func cover(_ session: LiveSession) async {
        for await picture in session.pictures {
            if case .cover = picture { return }
        }
    }

    @Test(
        "A frame that was judged under an earlier policy is not displayed again under a later policy",
        arguments: [true, false])
    func earlierFrame(isDisabledBetween: Bool) async throws {
        let policy = Policy(.simpleInterventions)
        let session = session(policy)
        #expect(try await picture(session, 10, isFrame: true) != nil)
        // Frames that are still in the gate may be judged under the later policy, and displayed.
        try await Task.sleep(for: .milliseconds(500))
        if isDisabledBetween {
            policy.change(to: .disabled)
            while session.flow.policy != .disabled { try await Task.sleep(for: .milliseconds(5)) }
        }
        script.change(.descriptive)
        policy.change(to: .descriptiveInterventions)
        await cover(session)
        while session.analysisState == nil { try await Task.sleep(for: .milliseconds(5)) }
        let feeder = feeder(session, 20)
        defer { feeder.cancel() }
        for await picture in session.pictures {
            guard case .frame(let frame) = picture else { continue }
            #expect(frame.withPlane(0, { $0[0] }) == 20)
            break
        }
    }

    @Test("A frame that was displayed under a disabled policy is covered as soon as the policy is enabled")
    func frozenStream() async throws {
        let policy = Policy(.disabled)
        let session = session(policy)
        session.show(try ScriptedStreamSource.frame(220))
        var pictures = session.pictures.makeAsyncIterator()
        guard case .frame? = await pictures.next(isolation: nil) else {
            Issue.record("the frame is not displayed")
            return
        }
        policy.change(to: .simpleInterventions)
        guard case .cover? = await pictures.next(isolation: nil) else {
            Issue.record("the frame is displayed again")
            return
        }
    }

    @Test("A stream whose analysis fails is asked about, and displayed when it recovers") func failure() async throws {
        let session = session(Policy(.simpleInterventions))
        script.fail(AnalysisFailure(.timedOut, ""))
        #expect(try await picture(session, 10, isFrame: false) != nil)
        while session.flow.presentation.pane != .notice {
            session.show(try ScriptedStreamSource.frame(10))
            try await Task.sleep(for: .milliseconds(20))
        }
        _ = session.choose(.tryAgain, in: session.flow)
        #expect(session.flow.presentation.pane == .checking)
        while session.flow.presentation.pane != .notice { try await Task.sleep(for: .milliseconds(20)) }
        script.fail(nil)
        _ = session.choose(.tryAgain, in: session.flow)
        #expect(try await picture(session, 10, isFrame: true) != nil)
    }

    @Test("An ended session displays nothing more") func end() async throws {
        let session = session(Policy(.simpleInterventions))
        session.show(try ScriptedStreamSource.frame(10))
        session.end()
        session.show(try ScriptedStreamSource.frame(10))
        for await picture in session.pictures {
            if case .frame = picture { Issue.record("a frame was displayed after the end") }
        }
        var flowCount = 0
        for await _ in session.flows { flowCount += 1 }
        #expect(flowCount == 1)
    }
}
