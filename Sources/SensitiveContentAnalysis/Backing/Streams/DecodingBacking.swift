// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost
internal import Synchronization

/// The functions of a `DecodingSession`: its decoder, and the pictures that may be displayed.
final class DecodingBacking: Sendable {
    typealias Picture = SCVideoStreamAnalyzer.DecodingSession.Picture

    let format: StreamFormat
    private let framing: StreamFraming
    let pictures: AsyncStream<Picture>
    private let continuation: AsyncStream<Picture>.Continuation
    private let state = Mutex(State())

    private struct State {
        var decoder: StreamDecoder?
        var hasBegun = false
        var isFinished = false
        var hasSentHeader = false
        var hasEnded = false
    }

    init(_ format: StreamFormat, _ framing: StreamFraming = .bytes) {
        self.format = format
        self.framing = framing
        (pictures, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Starts the decoder.
    ///
    /// - Throws: `invalidArgument` if the session has begun already, and errors of the closure.
    func begin(_ start: () throws -> StreamDecoder) throws {
        if case .datagrams(let description) = framing, StreamFraming.record(description) == nil {
            throw SensitivityAnalysisError(
                .invalidArgument, message: "The session description is empty or too long. Pass that of the stream.")
        }
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else {
            throw SensitivityAnalysisError(
                .invalidArgument, message: "A decoding session can be analysed once. Create another one.")
        }
        let decoder = try start()
        let (isFinished, hasEnded) = state.withLock { state in
            if !state.hasEnded { state.decoder = decoder }
            return (state.isFinished, state.hasEnded)
        }
        if isFinished { decoder.finish() }
        // The analysis may have ended while the decoder began.
        if hasEnded { decoder.end() }
    }

    /// Passes on bytes of a container.
    func send(_ bytes: [UInt8]) async throws {
        guard framing == .bytes else { throw Self.isOfAnotherKind("packets with send(packet:at:) or send(datagram:)") }
        try await pass(bytes)
    }

    /// Passes on a packet, whose time is in microseconds.
    func send(packet: [UInt8], time: UInt64) async throws {
        guard case .packets = framing else { throw Self.isOfAnotherKind("bytes with send(_:)") }
        guard let framed = StreamFraming.packet(packet, time: time) else {
            throw SensitivityAnalysisError(
                .invalidArgument, message: "A packet has from 1 byte to \(StreamFraming.longestPacket >> 20) MiB.")
        }
        try await pass(framed)
    }

    func send(datagram: [UInt8]) async throws {
        guard case .datagrams = framing else { throw Self.isOfAnotherKind("bytes with send(_:)") }
        guard let framed = StreamFraming.record(datagram) else {
            throw SensitivityAnalysisError(
                .invalidArgument, message: "A datagram has from 1 to \(StreamFormat.longestRecord) bytes.")
        }
        try await pass(framed)
    }

    private static func isOfAnotherKind(_ remedy: String) -> SensitivityAnalysisError {
        SensitivityAnalysisError(
            .invalidArgument, message: "The decoding session was created for another kind of stream. Send \(remedy).")
    }

    private func pass(_ bytes: [UInt8]) async throws {
        let (decoder, hasBegun, header) = state.withLock { state in
            // Bytes are dropped without a decoder, and the header is kept for it.
            defer { state.hasSentHeader = state.hasSentHeader || state.decoder != nil }
            return (state.decoder, state.hasBegun, state.hasSentHeader ? [] : framing.header)
        }
        guard hasBegun else {
            throw SensitivityAnalysisError(
                .invalidArgument, message: "Begin the analysis of a decoding session before you send its bytes.")
        }
        await decoder?.send(header + bytes)
    }

    func finish() {
        let decoder = state.withLock { state in
            state.isFinished = true
            return state.decoder
        }
        decoder?.finish()
    }

    /// Ends the decoder and the pictures.
    func end() {
        let decoder = state.withLock { state in
            state.hasEnded = true
            defer { state.decoder = nil }
            return state.decoder
        }
        decoder?.end()
        continuation.finish()
    }

    /// Displays a frame, or a blank picture in its place.
    func display(_ frame: CVPixelBuffer, isBlank: Bool) {
        continuation.yield(isBlank ? .blank(width: frame.width, height: frame.height) : .frame(frame))
    }
}
