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
    mutating func reply(to request: HelperRequest, _ attachment: OwnedDescriptor?) throws -> HelperReply {
        do {
            return try result(of: request, attachment)
        } catch let failure as DecodingFailure {
            var failure = failure
            failure.format = failure.format ?? session?.media.format
            return .failure(failure)
        }
    }

    private mutating func result(of request: HelperRequest, _ attachment: OwnedDescriptor?) throws -> HelperReply {
        switch request {
        case .decodeImage(let wishes): processorTime.maximum = wishes.limits.maximumDecodingTime
        case .openMedia(let wishes): processorTime.maximum = wishes.limits.maximumDecodingTime
        default: break
        }
        processorTime.limit()
        switch request {
        case .hello: throw DecodingFailure(.internalError, detail: "a second greeting")
        case .decodeImage(let wishes):
            return try answer(attachment) { file, format throws(DecodingFailure) in
                switch try decoder.picture(in: file, format, wishes) {
                case .value(let picture): .image(try picture.reply(format, in: memory))
                case .content(let content): .content(content)
                }
            }
        case .findTestPatterns(let layout):
            guard let attachment else { throw DecodingFailure(.unreadable) }
            return .testPatterns(try Self.testPatterns(in: attachment, layout))
        case .closeMedia:
            session = nil
            return .closed
        case .openMedia(let wishes):
            session = nil
            var opened: (any MediaSession)?
            let reply = try answer(attachment) { file, format throws(DecodingFailure) in
                switch try decoder.openMedia(file, format, wishes) {
                case .value(let session):
                    opened = session
                    return .media(session.media)
                case .content(let content): return .content(content)
                }
            }
            session = opened
            return reply
        case .openTrack(let index): return .track(try openSession().openTrack(Int(index)))
        case .addLane, .useModel, .useCompiledCopy, .keepCompiledCopy, .loadModel, .scoreViews, .scorePixels,
            .convertModel, .writeModel, .labelScores:
            throw DecodingFailure(.internalError, detail: "a request for the model")
        case .openStream, .nextStreamFrame:
            throw DecodingFailure(.internalError, detail: "no live stream is open")
        case .nextFrame: return try reply(try openSession().nextFrame())
        case .frameShown(let moment): return try reply(try openSession().frame(shownAt: moment))
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

    /// Replies about the file of the attached descriptor, and adds the file's format to a failure of the closure.
    private func answer(
        _ attachment: OwnedDescriptor?,
        _ body: (InputFile, MediaFormat) throws(DecodingFailure) -> HelperReply
    ) throws(DecodingFailure) -> HelperReply {
        guard let attachment else { throw DecodingFailure(.unreadable) }
        let file = try InputFile(attachment)
        switch try file.format() {
        case .content(let content): return .content(content)
        case .value(let format):
            do throws(DecodingFailure) {
                return try body(file, format)
            } catch {
                var failure = error
                failure.format = format
                throw failure
            }
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
