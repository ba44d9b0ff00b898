// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
internal import HelperProtocol
internal import HelperService

/// The conversation with the host about one live stream, which the process serves until the host is gone.
final class StreamConversation {
    private let socket: MessageSocket
    private let memory: MappedPixelMemory
    private var serial: UInt64
    private var slice = WorkSlice()
    private var processorTime = ProcessorTime()
    /// The error that has ended the conversation while the stream was being read.
    private var failure: (any Error)?

    /// - Parameter serial: the serial of the request to open the stream.
    init(_ socket: MessageSocket, _ memory: MappedPixelMemory, serial: UInt64) {
        self.socket = socket
        self.memory = memory
        self.serial = serial
    }

    /// Opens the stream, and replies to requests for its frames until the host is gone.
    func serve(_ pipe: OwnedDescriptor?, _ request: StreamRequest, _ decoder: some MediaDecoder) throws {
        processorTime.maximum = request.limits.maximumDecodingTime
        guard let pipe else { throw DecodingFailure(.unreadable) }
        let session: any StreamDecodingSession
        do throws(DecodingFailure) {
            session = try decoder.openStream(pipe, request, readsOn: readsOn)
        } catch {
            return try socket.send(HelperReply.failure(error).encoded(answering: serial))
        }
        try socket.send(HelperReply.streamOpened.encoded(answering: serial))
        while true {
            try receive()
            let reply = reply(from: session)
            if let failure { throw failure }
            try socket.send(reply.encoded(answering: serial))
        }
    }

    private func reply(from session: any StreamDecodingSession) -> HelperReply {
        do throws(DecodingFailure) {
            return try session.nextFrame(into: memory).map { .streamFrame($0) } ?? .streamEnd
        } catch {
            return .failure(error)
        }
    }

    /// Receives the next request for a frame; the host of a live stream may be silent for any time.
    private func receive() throws {
        let (bytes, _) = try socket.receive(within: -1)
        guard case .nextStreamFrame = try DecoderRequest(decoding: bytes) else { throw MessageError.unknownKind }
        serial = try MessageHeader(of: bytes).serial
        slice = WorkSlice()
        processorTime.limit()
    }

    /// Replies that there is no frame yet, after a fraction of a second, and receives the next request.
    ///
    /// - Returns: whether the host still wants the stream.
    private func readsOn() -> Bool {
        guard failure == nil else { return false }
        guard slice.isOver else { return true }
        do {
            try socket.send(HelperReply.streamWaits.encoded(answering: serial))
            try receive()
            return true
        } catch {
            failure = error
            return false
        }
    }
}
