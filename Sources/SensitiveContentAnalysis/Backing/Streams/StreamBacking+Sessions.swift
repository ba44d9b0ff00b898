// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import HelperHost

extension StreamBacking {
    /// Starts a decoding session, whose frames are analysed from now on.
    func begin(_ session: DecodingBacking) throws {
        try session.begin { [source] in
            try replaceSession(by: session) { receive in
                try source.decode(session.format, session.framing, receive)
            }
        }
    }

    /// Starts a capture, whose frames are analysed from now on.
    func begin(_ session: CaptureBacking) throws {
        try session.begin { [source] in
            try replaceSession(by: session) { receive in try source.capture(session.input, receive) }
        }
    }

    private func replaceSession<Source>(
        by session: any StreamSession, _ start: (@escaping @Sendable (LiveStreamEvent) -> Void) throws -> Source
    ) throws -> Source {
        replaceSession(by: session)
        do {
            return try start { [weak self, weak session] event in
                guard let self, let session else { return }
                take(event, of: session)
            }
        } catch let failure as AnalysisFailure {
            throw source.explain(failure)
        }
    }

    private func take(_ event: LiveStreamEvent, of session: any StreamSession) {
        switch event {
        case .frame(let frame):
            let buffer = CVPixelBuffer(frame)
            let hasGate = analyze(buffer, of: session)
            // With a gate, the frame is displayed when it leaves the gate.
            if hasGate == false { session.output.display(buffer, isBlank: analysis != nil) }
        case .end: endSoon(session)
        case .failure(let failure):
            fail(failure, of: session)
            endSoon(session)
        }
    }

    /// Ends a session when its last frames have left the gate.
    private func endSoon(_ session: any StreamSession) {
        guard let delay = gateDelay else { return session.end() }
        Task {
            try? await Task.sleep(for: delay + .milliseconds(100))
            session.end()
        }
    }
}
