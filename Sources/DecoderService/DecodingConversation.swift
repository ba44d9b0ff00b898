// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import DecoderProtocol

/// One decoder, what it has open, and the answers that it gives.
struct DecodingConversation<Decoder: MediaDecoder> {
    let socket: MessageSocket
    let memory: PixelMemory
    let decoder: Decoder
    private var session: (any MediaSession)?
    private var processorTime = ProcessorTime()

    init(socket: MessageSocket, memory: PixelMemory, decoder: Decoder) {
        self.socket = socket
        self.memory = memory
        self.decoder = decoder
    }

    /// How long to wait for the next request.
    var idleMilliseconds: Int32 {
        // A host that waits for a model or for its turn must not lose what it has open.
        session == nil ? Self.idleMilliseconds : 120_000
    }

    static var idleMilliseconds: Int32 { 10_000 }

    /// Answers one request.
    ///
    /// - Throws: where the host cannot be answered any more.
    mutating func answer(_ request: DecoderRequest, _ attachment: OwnedDescriptor?, serial: UInt64) throws {
        let reply: DecoderReply
        do {
            reply = try self.reply(to: request, attachment)
        } catch let failure as DecodingFailure {
            var failure = failure
            failure.format = failure.format ?? session?.media.format
            reply = .failure(failure)
        }
        try socket.send(reply.encoded(answering: serial))
    }

    private mutating func reply(to request: DecoderRequest, _ attachment: OwnedDescriptor?) throws -> DecoderReply {
        switch request {
        case .decodeImage(let wishes): processorTime.maximumTime = wishes.maximumTime
        case .openMedia(let wishes): processorTime.maximumTime = wishes.picture.maximumTime
        default: break
        }
        processorTime.limit()
        switch request {
        case .hello: throw DecodingFailure(.internalError, detail: "a second greeting")
        case .decodeImage(let wishes):
            let (format, picture) = try decoder.picture(in: try Self.file(attachment), wishes)
            return .image(try picture.reply(format, in: memory))
        case .findTestPatterns(let description):
            guard let attachment else { throw DecodingFailure(.unreadable) }
            return .testPatterns(try Self.testPatterns(in: attachment, description))
        case .closeMedia:
            session = nil
            return .closed
        case .openMedia(let wishes):
            session = nil
            let opened = try decoder.openMedia(try Self.file(attachment), wishes)
            session = opened
            return .media(opened.media)
        case .openTrack(let index): return .track(try openSession().openTrack(Int(index)))
        case .nextFrame: return try reply(try openSession().nextFrame())
        case .frameShown(let moment): return try reply(try openSession().frame(shownAt: moment))
        }
    }

    private func reply(_ answer: TrackAnswer) throws(DecodingFailure) -> DecoderReply {
        switch answer {
        case .frame(let picture, let shown):
            .frame(FrameReply(image: try picture.reply(try openSession().media.format, in: memory), shown: shown))
        case .repetition(let shown): .repetition(shown)
        case .progress(let progress): .progress(progress)
        case .end(let end): .trackEnd(end)
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

    private static func testPatterns(
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
