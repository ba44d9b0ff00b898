// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CLinuxShims
internal import FileAccess
package import HelperProtocol

/// Replies to the host's requests one after the other, until the host is gone or silent for a while.
package struct DecodingService<Decoder: MediaDecoder> {
    private let socket: MessageSocket
    private let decoder: Decoder
    private let sandbox: SandboxReport

    /// - Parameter sandbox: the layers that confine the process, for the reply to the greeting.
    package init(socket: MessageSocket, decoder: Decoder, sandbox: SandboxReport) {
        self.socket = socket
        self.decoder = decoder
        self.sandbox = sandbox
    }

    /// Serves requests until the host is gone or silent for a while.
    ///
    /// - Returns: the exit status of the process: 0 after an idle time or when the host is gone, otherwise 1.
    package func run() -> Int32 {
        do {
            guard let memory = try greet() else { return 1 }
            var conversation = DecodingConversation(memory: memory, decoder: decoder)
            var requestCount = 0
            while true {
                // Without the trim, the process would keep freed memory that one large picture has needed.
                requestCount += 1
                if requestCount % DecodingBounds.requestsBetweenTrims == 0 { CLinuxShims_trim_memory() }
                try socket.send(try nextReply(in: &conversation))
            }
        } catch TransportError.closed, TransportError.timedOut {
            return 0
        } catch {
            return 1
        }
    }

    /// Receives a request and returns its reply.
    ///
    /// The return closes the file of the request, unless it stays open for further requests. So a file that is open in
    /// a process that has died is the file that ended the process.
    private func nextReply(in conversation: inout DecodingConversation<Decoder>) throws -> [UInt8] {
        try reply(to: try socket.receive(within: conversation.idleMilliseconds), in: &conversation)
    }

    private func reply(
        to message: (bytes: [UInt8], attachment: OwnedDescriptor?),
        in conversation: inout DecodingConversation<Decoder>
    ) throws -> [UInt8] {
        let (bytes, attachment) = message
        let header = try MessageHeader(of: bytes)
        let request = try DecoderRequest(decoding: bytes)
        if case .openStream(let request) = request {
            let stream = StreamConversation(socket, conversation.memory, serial: header.serial)
            try stream.serve(attachment, request, decoder)
            throw TransportError.closed
        }
        if case .openWholePicture(let request) = request {
            let output = WholePictureOutput(socket, serial: header.serial)
            let answer = conversation.reply(to: request, attachment, output)
            guard let interruption = output.interruption else { return answer.encoded(answering: output.serial) }
            return try reply(to: try interruption.get(), in: &conversation)
        }
        if case .nextWholeFrame = request {
            // The host passes over frames by asking for the next one instead of sending memory.
            var serial = header.serial
            while true {
                let output = WholePictureOutput(socket, serial: serial)
                let answer = conversation.replyWithNextFrame(output)
                guard let interruption = output.interruption else { return answer.encoded(answering: output.serial) }
                let other = try interruption.get()
                guard try DecoderRequest(decoding: other.bytes) == .nextWholeFrame else {
                    return try reply(to: other, in: &conversation)
                }
                serial = try MessageHeader(of: other.bytes).serial
            }
        }
        return try conversation.reply(to: request, attachment).encoded(answering: header.serial)
    }

    /// Replies to the greeting, and returns its memory for the pixels of all replies.
    private func greet() throws -> MappedPixelMemory? {
        let (bytes, attachment) = try socket.receive(within: DecodingConversation<Decoder>.idleMilliseconds)
        guard try DecoderRequest(decoding: bytes) == .hello, let attachment else { return nil }
        let memory = try MappedPixelMemory(attachment, isForAnswers: true)
        let identity = HelperIdentity(library: decoder.library, sandbox: sandbox)
        try socket.send(HelperReply.hello(identity).encoded(answering: MessageHeader(of: bytes).serial))
        return memory
    }
}

private enum DecodingBounds {
    static let requestsBetweenTrims = 32
}
