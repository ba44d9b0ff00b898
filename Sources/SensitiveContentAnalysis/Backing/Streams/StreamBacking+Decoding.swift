// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import HelperHost

extension StreamBacking {
    /// Starts a session, whose frames are analysed from now on.
    func begin(_ session: DecodingBacking) throws {
        try session.begin { [source] in
            replaceSession(by: session)
            do {
                return try source.decode(session.format) { [weak self, weak session] event in
                    guard let self, let session else { return }
                    take(event, of: session)
                }
            } catch let failure as AnalysisFailure {
                throw source.explain(failure)
            }
        }
    }

    private func take(_ event: StreamDecoder.Event, of session: DecodingBacking) {
        switch event {
        case .frame(let frame):
            let buffer = CVPixelBuffer(frame)
            let hasGate = analyze(buffer, of: session)
            // With a gate, the frame is displayed when it leaves the gate.
            if hasGate == false { session.display(buffer, isBlank: analysis != nil) }
        case .end: endSoon(session)
        case .failure(let failure):
            fail(failure, of: session)
            endSoon(session)
        }
    }

    /// Ends a session when its last frames have left the gate.
    private func endSoon(_ session: DecodingBacking) {
        guard let delay = gateDelay else { return session.end() }
        Task {
            try? await Task.sleep(for: delay + .milliseconds(100))
            session.end()
        }
    }
}

extension DecodingBacking {
    /// Displays what leaves the gate.
    func display(_ release: StreamService.Release) {
        switch release {
        case .frame(let frame):
            if let buffer = frame.picture.source as? CVPixelBuffer { display(buffer, isBlank: false) }
        case .cover(let frame, _):
            if let buffer = frame.picture.source as? CVPixelBuffer { display(buffer, isBlank: true) }
        }
    }
}
