// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
package import VideoCapture

/// The capture from a source of this machine, on a thread of its own.
package final class LiveCapture: Sendable {
    private let receive: @Sendable (LiveStreamEvent) -> Void
    private let state = ConditionLock(State())

    private struct State: Sendable {
        /// The program that captures, if another program does.
        var program: CaptureProgram?
        /// The decoder of what is captured.
        var decoder: StreamDecoder?
        var hasEnded = false
        var lastFrame = ContinuousClock.now
    }

    package typealias Decode =
        @Sendable (@escaping @Sendable (LiveStreamEvent) -> Void) throws -> StreamDecoder

    package typealias OpenDevice = @Sendable () throws(AnalysisFailure) -> CaptureDevice
    package typealias StartProgram = @Sendable () throws(AnalysisFailure) -> CaptureProgram

    /// Starts the capture.
    ///
    /// - Parameters:
    ///   - run: captures until the capture is given up or its source ends, on a thread of its own.
    ///   - receive: called with each frame and with the end, on one thread at a time.
    /// - Throws: `AnalysisFailure` if the system has no thread left.
    init(
        receive: @escaping @Sendable (LiveStreamEvent) -> Void, run: @escaping @Sendable (LiveCapture) throws -> Void
    ) throws {
        self.receive = receive
        let hasStarted = BackgroundThread.start(blocksSignals: true) { [self] in
            do {
                try run(self)
                finish(.end)
            } catch let failure as AnalysisFailure {
                finish(.failure(failure))
            } catch {
                finish(
                    .failure(
                        AnalysisFailure(
                            .internalFailure, "The source could not be used. Please report it.", cause: error)))
            }
        }
        guard hasStarted else {
            throw AnalysisFailure(.internalFailure, "The system has no thread left for a capture.")
        }
    }

    /// Gives the capture up; nothing is delivered afterwards.
    package func end() { _ = stop() }

    var hasEnded: Bool { state.read { $0.hasEnded } }

    /// The time since the last frame, or since the start.
    var silence: Duration { state.read { $0.lastFrame.duration(to: .now) } }

    func deliver(_ frame: LiveStreamFrame) {
        let isWanted = state.withLock { state in
            state.lastFrame = .now
            return !state.hasEnded
        }
        if isWanted { receive(.frame(frame)) }
    }

    /// Reports the end or the first failure, and ends the capture.
    func finish(_ event: LiveStreamEvent) {
        if stop() { receive(event) }
    }

    /// Ends the program with the capture.
    func hold(_ program: CaptureProgram) {
        if !keep({ $0.program = program }) { program.end() }
    }

    /// Keeps a part that ends with the capture, and returns false if the capture has ended already.
    private func keep(_ store: (inout State) -> Void) -> Bool {
        state.withLock { state in
            if !state.hasEnded { store(&state) }
            return !state.hasEnded
        }
    }

    /// Starts a decoder, which ends with the capture.
    ///
    /// Its frames and its failure are those of the capture.
    func startDecoder(_ decode: Decode) throws -> StreamDecoder {
        let decoder = try decode { [weak self] event in
            guard let self else { return }
            switch event {
            case .frame(let frame): deliver(frame)
            case .end: state.withLock { $0.decoder = nil }
            case .failure: finish(event)
            }
        }
        if !keep({ $0.decoder = decoder }) { decoder.end() }
        return decoder
    }

    /// Ends the stream of the decoder, and waits until its last frame is delivered.
    func finishDecoder(_ decoder: StreamDecoder) {
        decoder.finish()
        _ = state.wait { state in state.decoder == nil || state.hasEnded ? true : nil }
    }

    /// Ends everything, and returns whether this call was the first to do so.
    private func stop() -> Bool {
        let (isFirst, program, decoder) = state.withLock { state in
            defer { (state.hasEnded, state.program, state.decoder) = (true, nil, nil) }
            return (!state.hasEnded, state.program, state.decoder)
        }
        program?.end()
        decoder?.end()
        return isFirst
    }
}
