// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CLinuxShims
package import DecoderProtocol

/// Answers the requests of the host, one after the other, until the host is gone or has been silent for a while.
package struct DecodingService<Decoder: MediaDecoder> {
    private let socket: MessageSocket
    private let memoryLimit: UInt64
    private let makeDecoder: () throws(DecodingFailure) -> Decoder

    /// - Parameters:
    ///   - memoryLimit: the address space that decoding may use beyond what its library needs to start, in bytes.
    ///   - makeDecoder: starts the decoding library.
    package init(
        socket: MessageSocket, memoryLimit: UInt64, decoder makeDecoder: @escaping () throws(DecodingFailure) -> Decoder
    ) {
        self.socket = socket
        self.memoryLimit = memoryLimit
        self.makeDecoder = makeDecoder
    }

    /// Serves until the end.
    ///
    /// - Returns: the exit status of the process: 0 after an idle time or when the host is gone.
    package func run() -> Int32 {
        do {
            CLinuxShims_reuse_memory(Decoder.largestReusedBlock)
            let decoder = try makeDecoder()
            // The place of the sandbox, before the first byte of media is read. What is loaded later, for the formats
            // that few files have (libheif, libjxl) and for test mode (ZBar), then has to be loaded here.
            guard CLinuxShims_limit_address_space(memoryLimit) == 0 else { return 1 }
            var conversation = Conversation(socket: socket, decoder: decoder)
            var requestCount = 0
            while true {
                // What one large picture has needed would otherwise stay with the process for all that follow.
                requestCount += 1
                if requestCount % DecodingBounds.requestsBetweenTrims == 0 { CLinuxShims_trim_memory() }
                let (bytes, attachment) = try socket.receive(within: conversation.idleMilliseconds)
                try conversation.answer(try DecoderRequest(decoding: bytes), attachment)
            }
        } catch TransportError.closed, TransportError.timedOut {
            return 0
        } catch {
            return 1
        }
    }
}

/// One decoder and what it has open.
private struct Conversation<Decoder: MediaDecoder> {
    let socket: MessageSocket
    let decoder: Decoder
    var session: (any MediaSession)?

    /// A host that waits for a model or for its turn must not lose what it has open.
    var idleMilliseconds: Int32 { session == nil ? 10_000 : 120_000 }

    mutating func answer(_ request: DecoderRequest, _ attachment: OwnedDescriptor?) throws {
        do {
            switch request {
            case .hello:
                try socket.send(DecoderReply.hello(decoder.identity).encoded())
            case .decodeImage(let wishes):
                let (format, picture) = try decoder.picture(in: try Self.file(attachment), wishes)
                let (image, memory) = try picture.reply(format)
                try socket.send(DecoderReply.image(image).encoded(), with: memory.descriptor)
            case .findTestPatterns(let description):
                guard let attachment else { throw DecodingFailure(.unreadable) }
                let patterns = try testPatterns(in: attachment, description)
                try socket.send(DecoderReply.testPatterns(patterns).encoded())
            case .closeMedia:
                session = nil
                try socket.send(DecoderReply.closed.encoded())
            case .openMedia(let wishes):
                session = nil
                let opened = try decoder.openMedia(try Self.file(attachment), wishes)
                session = opened
                try socket.send(DecoderReply.media(opened.media).encoded())
            case .openTrack(let index):
                try socket.send(DecoderReply.track(try openSession().openTrack(Int(index))).encoded())
            case .nextFrame:
                try send(try openSession().nextFrame())
            case .frameShown(let moment):
                try send(try openSession().frame(shownAt: moment))
            }
        } catch let failure as DecodingFailure {
            var failure = failure
            failure.format = failure.format ?? session?.media.format
            try socket.send(DecoderReply.failure(failure).encoded())
        }
    }

    private static func file(_ attachment: OwnedDescriptor?) throws(DecodingFailure) -> InputFile {
        guard let attachment else { throw DecodingFailure(.unreadable) }
        return try InputFile(attachment)
    }

    private func openSession() throws(DecodingFailure) -> any MediaSession {
        guard let session else { throw DecodingFailure(.internalError, detail: "no file is open") }
        return session
    }

    private func send(_ answer: TrackAnswer) throws {
        switch answer {
        case .frame(let picture, let shown):
            let (image, memory) = try picture.reply(try openSession().media.format)
            let reply = FrameReply(image: image, shown: shown)
            try socket.send(DecoderReply.frame(reply).encoded(), with: memory.descriptor)
        case .repetition(let shown): try socket.send(DecoderReply.repetition(shown).encoded())
        case .progress(let progress): try socket.send(DecoderReply.progress(progress).encoded())
        case .end(let end): try socket.send(DecoderReply.trackEnd(end).encoded())
        }
    }

    private func testPatterns(
        in attachment: OwnedDescriptor, _ description: PixelDescription
    ) throws -> TestPatternSet {
        let memory = try SealedMemory(mapping: attachment)
        let image = try PixelImage(
            width: Int(description.width), height: Int(description.height), bytesPerRow: Int(description.bytesPerRow),
            storage: memory)
        return try unsafe memory.withBytes { pixels in
            try unsafe TestPatternScanner.patterns(
                in: pixels, width: image.width, height: image.height, bytesPerRow: image.bytesPerRow)
        }
    }
}

private enum DecodingBounds {
    static let requestsBetweenTrims = 32
}
