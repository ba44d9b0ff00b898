// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import HelperHost
internal import LiveStreams
internal import Synchronization

/// The origin of a stream's verdicts: the policy in force and the engine, or a script in tests.
struct StreamSource: Sendable {
    /// The terms now.
    var terms: @Sendable () -> StreamTerms
    /// Sends an element after each possible change of the terms.
    var changes: @Sendable () -> AsyncStream<Void>
    var judge: StreamService<CVPixelBuffer>.Judge
    /// Searches a judged frame for pictures inside it; nil in tests that need no second looks.
    var lookAgain: StreamService<CVPixelBuffer>.Judge?
    /// - Throws: ``SensitivityAnalysisError`` if the policy is disabled or nothing can analyse.
    var check: @Sendable () throws -> Void
    /// Turns a failure into the public error with the remedy.
    var explain: @Sendable (AnalysisFailure) -> SensitivityAnalysisError
    /// Loads the model ahead of the first frame.
    var prepare: @Sendable () async -> Void
    /// Starts the decoding of an encoded stream.
    var decode:
        @Sendable (StreamFormat, StreamFraming, @escaping @Sendable (LiveStreamEvent) -> Void) throws -> StreamDecoder
    /// Starts the capture from a source of this machine.
    var capture: @Sendable (CaptureInput, @escaping @Sendable (LiveStreamEvent) -> Void) throws -> LiveCapture
}

extension StreamSource {
    /// The policy of the system and the engine of an analyzer's configuration.
    init(_ analyzer: AnalyzerBacking) {
        let authorities = AuthorityRevisions { analyzer.streamAuthority() }
        terms = { authorities.current().terms }
        changes = { analyzer.changes() }
        check = { try analyzer.checkForStreams(authorities.current().authority) }
        explain = { SensitivityAnalysisError(authorities.current().authority.authority.explained($0)) }
        prepare = { await authorities.current().authority.engine.prepareForStreams() }
        decode = { format, framing, receive in
            let authority = authorities.current().authority
            return try authority.engine.decodeStream(
                format, framing: framing, limits: authority.limits, receive: receive)
        }
        capture = { input, receive in
            let authority = authorities.current().authority
            return try authority.engine.capture(input, limits: authority.limits, receive: receive)
        }
        @Sendable func finding(
            in content: LiveContent, _ terms: StreamTerms, isSecondLook: Bool
        ) async throws -> StreamFinding {
            let (current, authority) = authorities.current()
            guard current == terms else { throw StreamTermsSuperseded() }
            return try await authority.engine.analyzeFrame(
                content, authority.authority.request(limits: authority.limits), isSecondLook: isSecondLook)
        }
        judge = { try await finding(in: $0, $1, isSecondLook: false) }
        lookAgain = { try await finding(in: $0, $1, isSecondLook: true) }
    }
}

/// Numbers the authorities of a stream, so that judgements under an earlier authority are recognised.
private final class AuthorityRevisions: Sendable {
    private let read: @Sendable () -> StreamAuthority
    private let latest = Mutex<(terms: StreamTerms, authority: StreamAuthority)?>(nil)

    init(_ read: @escaping @Sendable () -> StreamAuthority) {
        self.read = read
    }

    func current() -> (terms: StreamTerms, authority: StreamAuthority) {
        latest.withLock { latest in
            // Read within the lock, so that an older authority never replaces a newer one.
            let authority = read()
            if let known = latest, known.authority.conditions == authority.conditions { return known }
            let terms = StreamTerms(policy: authority.authority.policy, revision: (latest?.terms.revision ?? 0) + 1)
            latest = (terms, authority)
            return (terms, authority)
        }
    }
}
