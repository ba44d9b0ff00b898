// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Synchronization

/// A source of frames that an analyzer owns while it analyses them: a decoding session or a capture.
protocol StreamSession: AnyObject, Sendable {
    var output: PictureOutput { get }

    /// Ends the source of the frames, and the pictures.
    func end()
}

/// The pictures of a session that may be displayed.
final class PictureOutput: Sendable {
    let pictures: AsyncStream<SCVideoStreamAnalyzer.Picture>
    private let continuation: AsyncStream<SCVideoStreamAnalyzer.Picture>.Continuation

    init() {
        (pictures, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Displays a frame, or a blank picture in its place.
    func display(_ frame: CVPixelBuffer, isBlank: Bool) {
        continuation.yield(isBlank ? .blank(width: frame.width, height: frame.height) : .frame(frame))
    }

    /// Displays what leaves the gate.
    func display(_ release: StreamService.Release) {
        switch release {
        case .frame(let frame):
            if let buffer = frame.picture.source as? CVPixelBuffer { display(buffer, isBlank: false) }
        case .cover(let frame, _):
            if let buffer = frame.picture.source as? CVPixelBuffer { display(buffer, isBlank: true) }
        }
    }

    func finish() { continuation.finish() }
}

/// A source that is started once, such as a decoder, and its end at any time.
final class SessionSource<Source: AnyObject & Sendable>: Sendable {
    private let state = Mutex(State())
    private let giveUp: @Sendable (Source) -> Void

    private struct State {
        var source: Source?
        var hasBegun = false
        var hasEnded = false
    }

    /// - Parameter giveUp: ends a source.
    init(giveUp: @escaping @Sendable (Source) -> Void) {
        self.giveUp = giveUp
    }

    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// The source; nil before the start and after the end.
    var current: Source? { state.withLock { $0.source } }

    /// - Throws: `invalidArgument` if the source was started before, and errors of the closure.
    func begin(_ start: () throws -> Source) throws {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else {
            throw SensitivityAnalysisError(
                .invalidArgument, message: "A session can be analysed once. Create another one.")
        }
        let source = try start()
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.source = source }
            return state.hasEnded
        }
        // The analysis may have ended while the source began.
        if hasEnded { giveUp(source) }
    }

    func end() {
        let source = state.withLock { state in
            state.hasEnded = true
            defer { state.source = nil }
            return state.source
        }
        if let source { giveUp(source) }
    }
}
