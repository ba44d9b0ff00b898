// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
internal import HelperProtocol
internal import HelperService
internal import ViewerAgreement

/// The conversation of one decoder with the host, and the file that is open in it.
struct DecodingConversation<Decoder: MediaDecoder> {
    let memory: MappedPixelMemory
    let decoder: Decoder
    private var session: (any MediaSession)?
    /// Whether the open file is a part of a picture file.
    private var isPart = false
    private var processorTime = ProcessorTime()

    init(memory: MappedPixelMemory, decoder: Decoder) {
        self.memory = memory
        self.decoder = decoder
    }

    /// The longest wait for the next request, in milliseconds.
    var idleMilliseconds: Int32 {
        // The host may wait for the model or for its turn, and must not lose its open file meanwhile.
        session == nil ? Self.idleMilliseconds : 120_000
    }

    static var idleMilliseconds: Int32 { 10_000 }

    /// Returns the reply to one request.
    mutating func reply(to request: DecoderRequest, _ attachment: OwnedDescriptor?) throws -> HelperReply {
        do {
            return try result(of: request, attachment)
        } catch let failure as DecodingFailure {
            var failure = failure
            // The person has a picture file, and not the video that lies in it.
            failure.format = isPart ? nil : failure.format ?? session?.media.format
            return .failure(failure)
        }
    }

    private mutating func result(of request: DecoderRequest, _ attachment: OwnedDescriptor?) throws -> HelperReply {
        if case .open(let request) = request { processorTime.maximum = request.limits.maximumDecodingTime }
        processorTime.limit()
        switch request {
        case .hello: throw DecodingFailure(.internalError, detail: "a second greeting")
        case .open(let request): return try open(attachment, request)
        case .findTestPatterns(let layout):
            guard let attachment else { throw DecodingFailure(.unreadable) }
            return .testPatterns(try Self.testPatterns(in: attachment, layout))
        case .closeMedia:
            session = nil
            return .closed
        case .openTrack(let index): return .track(try openSession().openTrack(Int(index)))
        case .openStream, .nextStreamFrame:
            throw DecodingFailure(.internalError, detail: "no live stream is open")
        case .nextFrame: return try reply(try openSession().nextFrame())
        case .frameShown(let moment): return try reply(try openSession().frame(shownAt: moment))
        }
    }

    /// Opens the file of the attached descriptor, and adds its format to a failure.
    private mutating func open(
        _ attachment: OwnedDescriptor?, _ request: OpenRequest
    ) throws(DecodingFailure) -> HelperReply {
        (session, isPart) = (nil, false)
        guard let attachment else { throw DecodingFailure(.unreadable) }
        var file = try InputFile(attachment)
        let format: MediaFormat
        if case .part(let range) = request.sequence {
            // The decoder that found the video has checked the rest of the file.
            isPart = true
            (file, format) = (file.part(Int(clamping: range.lowerBound)..<Int(clamping: range.upperBound)), .video)
        } else {
            switch try file.format() {
            case .content(let content): return .content(content)
            case .value(let found): format = found
            }
        }
        do throws(DecodingFailure) {
            switch try decoder.open(file, format, request) {
            case .content(let content): return .content(content)
            case .value(.picture(let picture)): return .image(try picture.reply(format, in: memory))
            case .value(.session(let opened)):
                session = opened
                return .media(opened.media)
            }
        } catch {
            var failure = error
            failure.format = format
            throw failure
        }
    }

    private func reply(_ answer: TrackAnswer) throws(DecodingFailure) -> HelperReply {
        switch answer {
        case .frame(let picture, let shown):
            .frame(FrameReply(image: try picture.reply(try openSession().media.format, in: memory), shown: shown))
        case .repetition(let shown): .repetition(shown)
        case .progress(let progress): .progress(progress)
        case .end(let end): .trackEnd(end)
        }
    }

    private func openSession() throws(DecodingFailure) -> any MediaSession {
        guard let session else { throw DecodingFailure(.internalError, detail: "no file is open") }
        return session
    }

    private static func testPatterns(
        in attachment: OwnedDescriptor, _ layout: PixelLayout
    ) throws -> Set<ContentType> {
        let memory = try SealedMemory(mapping: attachment)
        guard memory.byteCount >= layout.byteCount else { throw DecodingFailure(.unreadable) }
        let views = unsafe memory.withBytes { unsafe BackgroundComposer.views(of: layout, in: $0) }
        var budget = SearchBudget()
        return try TestPatternScanner.patterns(in: views, width: layout.width, height: layout.height, &budget)
    }
}
