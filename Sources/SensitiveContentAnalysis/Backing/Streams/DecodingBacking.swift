// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost
internal import Synchronization

/// The functions of a `DecodingSession`: its decoder, and the pictures that may be displayed.
final class DecodingBacking: StreamSession {
    let format: StreamFormat
    let framing: StreamFraming
    let output = PictureOutput()
    private let decoder = SessionSource<StreamDecoder> { $0.end() }
    private let isFinished = Atomic(false)

    init(_ format: StreamFormat, _ framing: StreamFraming = .bytes) {
        self.format = format
        self.framing = framing
    }

    /// Starts the decoder.
    ///
    /// - Throws: `invalidArgument` if the session has begun already, and errors of the closure.
    func begin(_ start: () throws -> StreamDecoder) throws {
        if case .datagrams(let description) = framing, StreamFraming.record(description) == nil {
            throw SensitivityAnalysisError(
                .invalidArgument, message: "The session description is empty or too long. Pass that of the stream.")
        }
        try decoder.begin(start)
        if isFinished.load(ordering: .sequentiallyConsistent) { decoder.current?.finish() }
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
        guard decoder.hasBegun else {
            throw SensitivityAnalysisError(
                .invalidArgument, message: "Begin the analysis of a decoding session before you send its bytes.")
        }
        // Bytes are dropped after the end of the analysis.
        await decoder.current?.send(bytes)
    }

    func finish() {
        isFinished.store(true, ordering: .sequentiallyConsistent)
        decoder.current?.finish()
    }

    func end() {
        decoder.end()
        output.finish()
    }
}
