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
    /// The file that is open for the frames that the app displays.
    private var frames: (any WholeFrameSession)?
    /// The copy of a film that is ready to be written.
    private var film: (any RemuxedFilm)?
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
        session == nil && frames == nil && film == nil ? Self.idleMilliseconds : 120_000
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

    /// Returns the reply to a request for the picture that the app displays.
    mutating func reply(
        to request: WholePictureRequest, _ attachment: OwnedDescriptor?, _ output: WholePictureOutput
    ) -> HelperReply {
        processorTime.maximum = request.limits.maximumDecodingTime
        processorTime.limit()
        do throws(DecodingFailure) {
            switch try identified(attachment, request.sequence, displayedBy: .ours) {
            case .content(let content): return .content(content)
            case .value((let file, let format)):
                return try Self.addingFormat(format) { () throws(DecodingFailure) in
                    switch try decoder.writeWholePicture(of: file, format, request, to: output) {
                    case .content(let content): .content(content)
                    case .value(.written(let isDamaged)): .wholePictureWritten(isDamaged: isDamaged)
                    case .value(.elsewhere(let media)): .media(media)
                    }
                }
            }
        } catch {
            return .failure(error)
        }
    }

    /// Returns the reply to a request for the next frame that the app displays.
    mutating func replyWithNextFrame(_ output: WholePictureOutput) -> HelperReply {
        processorTime.limit()
        guard let frames else { return .failure(DecodingFailure(.internalError, detail: "no file is open")) }
        do throws(DecodingFailure) {
            return try Self.addingFormat(frames.description.format) { () throws(DecodingFailure) in
                switch try frames.nextFrame(to: output) {
                case .written(let isDamaged): .wholePictureWritten(isDamaged: isDamaged)
                case .end(let end): .trackEnd(end)
                }
            }
        } catch {
            return .failure(error)
        }
    }

    private mutating func openWholeFrames(
        _ attachment: OwnedDescriptor?, _ request: WholePictureRequest
    ) throws(DecodingFailure) -> HelperReply {
        switch try identified(attachment, request.sequence, displayedBy: .ours) {
        case .content(let content): return .content(content)
        case .value((let file, let format)):
            return try Self.addingFormat(format) { () throws(DecodingFailure) in
                switch try decoder.openWholeFrames(of: file, format, request) {
                case .content(let content): return .content(content)
                case .value(.elsewhere(let media)): return .media(media)
                case .value(.session(let opened)):
                    frames = opened
                    return .wholeFrames(opened.description)
                }
            }
        }
    }

    private mutating func remux(
        _ attachment: OwnedDescriptor?, _ request: RemuxRequest
    ) throws(DecodingFailure) -> HelperReply {
        switch try identified(attachment, nil, displayedBy: .ours) {
        case .content(let content): return .content(content)
        case .value((let file, let format)):
            return try Self.addingFormat(format) { () throws(DecodingFailure) in
                switch try decoder.remux(file, format, request) {
                case .content(let content): return .content(content)
                case .value(let ready):
                    film = ready
                    return .fileReady(byteCount: UInt64(ready.byteCount))
                }
            }
        }
    }

    private mutating func writeRemuxed(_ attachment: OwnedDescriptor?) throws(DecodingFailure) -> HelperReply {
        guard let film, let attachment else { throw DecodingFailure(.internalError, detail: "no film is ready") }
        self.film = nil
        guard let memory = try? WritablePictureMemory(attachment, byteCount: film.byteCount) else {
            throw DecodingFailure(.internalError, detail: "memory of a wrong size")
        }
        try film.write(to: memory)
        return .closed
    }

    private mutating func result(of request: DecoderRequest, _ attachment: OwnedDescriptor?) throws -> HelperReply {
        switch request {
        case .open(let request): processorTime.maximum = request.limits.maximumDecodingTime
        case .openWholeFrames(let request): processorTime.maximum = request.limits.maximumDecodingTime
        case .remux(let request):
            processorTime.maximum = request.limits.maximumDecodingTime * RemuxRequest.decodingTimes
        default: break
        }
        processorTime.limit()
        switch request {
        case .hello: throw DecodingFailure(.internalError, detail: "a second greeting")
        case .open(let request): return try open(attachment, request)
        case .findTestPatterns(let layout):
            guard let attachment else { throw DecodingFailure(.unreadable) }
            return .testPatterns(try Self.testPatterns(in: attachment, layout))
        case .openWholeFrames(let request): return try openWholeFrames(attachment, request)
        case .closeMedia:
            (session, frames, film) = (nil, nil, nil)
            return .closed
        case .remux(let request): return try remux(attachment, request)
        case .writeRemuxed: return try writeRemuxed(attachment)
        case .openTrack(let index): return .track(try openSession().openTrack(Int(index)))
        case .openWholePicture, .writeWholePicture, .nextWholeFrame:
            throw DecodingFailure(.internalError, detail: "no picture waits for memory")
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
        switch try identified(attachment, request.sequence, displayedBy: .otherViewer) {
        case .content(let content): return .content(content)
        case .value((let file, let format)):
            return try Self.addingFormat(format) { () throws(DecodingFailure) in
                switch try decoder.open(file, format, request) {
                case .content(let content): return .content(content)
                case .value(.picture(let picture)): return .image(try picture.reply(format, in: memory))
                case .value(.session(let opened)):
                    session = opened
                    return .media(opened.media)
                }
            }
        }
    }

    /// Closes an earlier file, and returns the file of the attached descriptor, or the part of it, and its format.
    private mutating func identified(
        _ attachment: OwnedDescriptor?, _ sequence: SequencePlace?, displayedBy display: Display
    ) throws(DecodingFailure) -> FileAnswer<(InputFile, MediaFormat)> {
        (session, frames, film, isPart) = (nil, nil, nil, false)
        guard let attachment else { throw DecodingFailure(.unreadable) }
        let file = try InputFile(attachment)
        guard case .part(let range) = sequence else {
            return try file.format(displayedBy: display).map { (file, $0) }
        }
        // The decoder that found the video has checked the rest of the file.
        isPart = true
        return .value((file.part(Int(clamping: range.lowerBound)..<Int(clamping: range.upperBound)), .video))
    }

    private static func addingFormat<Value>(
        _ format: MediaFormat, _ body: () throws(DecodingFailure) -> Value
    ) throws(DecodingFailure) -> Value {
        do throws(DecodingFailure) {
            return try body()
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
