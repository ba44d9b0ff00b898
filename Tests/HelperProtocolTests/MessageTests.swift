// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import Testing

private let serial: UInt64 = 0x0102_0304_0506_0708

@Suite("Messages between host and helper")
struct MessageTests {
    static let request = ImageRequest(
        minimumWidth: 256, minimumHeight: 257,
        limits: AnalysisLimits {
            $0.maximumByteCount = 1 << 40
            $0.maximumFrameCount = 9
            $0.maximumDuration = .microseconds(1_000_001)
        }, findsTestPatterns: true)
    static let layout = PixelLayout(width: 1, height: 2, bytesPerRow: 9, format: .bgra32Premultiplied)
    static let setup = ModelSetup(
        libraryFolder: "/usr/lib/x", modelDigest: (0..<32).map { $0 }, modelByteCount: 1 << 40,
        input: ModelInput(
            name: "input", width: 224, height: 225, layout: .channelsFirst, channelOrder: .bgr, mean: [1, -2, 3.5],
            scale: [0, 1, 2], resize: ModelInput.Resize(mode: .centerCrop, width: 256, height: 257, filter: .bicubic)),
        outputs: [ModelOutputPlace(name: "a", column: 7), ModelOutputPlace(name: "b", column: 0)],
        labels: ModelSetup.Labels(output: "b", count: 1000),
        knownAnswers: KnownAnswers(scores: [[0.25, 0.5], [0, 1]]), laneCount: 3)
    static let decoderRequests: [DecoderRequest] =
        [
            .hello, .open(OpenRequest(picture: request, preset: .thorough)),
            .open(OpenRequest(picture: request, preset: .fast, sequence: .wholeFile)),
            .openWholePicture(WholePictureRequest(limits: request.limits)),
            .openWholePicture(WholePictureRequest(limits: request.limits, maximumEdge: 640, sequence: .wholeFile)),
            .writeWholePicture,
            .openWholeFrames(WholePictureRequest(limits: request.limits, maximumEdge: 320, sequence: .wholeFile)),
            .nextWholeFrame,
            .open(OpenRequest(picture: request, preset: .fast, sequence: .part(7..<(1 << 40)))),
        ] + [layout].compactMap { $0 }.map { .findTestPatterns($0) } + [
            .remux(RemuxRequest(limits: request.limits, container: .matroska, keepsSound: true)), .writeRemuxed,
            .openTrack(513), .nextFrame, .frameShown(at: .max), .closeMedia, .nextStreamFrame,
        ]
        + StreamFormat.allCases.map {
            .openStream(
                StreamRequest(
                    format: $0, limits: request.limits, display: $0 == .flv ? .otherViewer : .ours,
                    keepsFirstLook: $0 == .ogg))
        }
    static let modelRequests: [ModelRequest] =
        [
            .hello, .addLane, .useModel, .useCompiledCopy(state: [9, 8]), .keepCompiledCopy, .loadModel(setup),
            .scoreViews(
                ViewsDescription(
                    pixels: PixelDescription(width: 7, height: 8, bytesPerRow: 21), count: 2, originalWidth: 70,
                    originalHeight: 8), nil), .labelScores(view: 1, first: 2000), .innerPictures(view: 3),
            .placeScores(view: 2),
        ] + [layout].compactMap { $0 }.map { .scorePixels($0, InnerPictureSearch(warmth: 0.1, count: 5)) }
    static let importerRequests: [ImporterRequest] = [
        .hello, .weights(byteCount: 1 << 33), .convertModel(byteCount: 1 << 40), .writeModel,
    ]
    static let encoderRequests: [EncoderRequest] =
        [
            .hello, .writeEncoded, .finishSequence,
            .beginSequence(
                SequenceEncoding(
                    format: .mp4, quality: 77, background: PictureEncoding.Background(red: 1, green: 2, blue: 3),
                    loopCount: 4), width: 320, height: 180),
        ]
        + [layout].compactMap { $0 }.map { .addFrame($0, TimeSpan(start: 40_000, end: 80_000)) }
        + [layout].compactMap { $0 }.map {
            .encode(
                $0,
                PictureEncoding(
                    format: .webp, quality: 100,
                    background: PictureEncoding.Background(red: 1, green: 2, blue: 3)))
        }
    static let requests: [any HelperRequest] = decoderRequests + modelRequests + importerRequests + encoderRequests
    static let replies: [HelperReply] =
        [
            .hello(
                HelperIdentity(
                    library: "libvips 8.14.1",
                    sandbox: SandboxReport(layers: [.noNewPrivileges, .systemCallFilter], landlockVersion: 7))),
            .image(
                ImageReply(
                    format: .avif, originalWidth: 4000, originalHeight: 3000,
                    pixels: PixelDescription(width: 500, height: 375, bytesPerRow: 1500), viewCount: 2,
                    testPatterns: [.goreOrViolence], isDamaged: true)),
            .testPatterns([.sexuallyExplicit, .goreOrViolence]),
            .wholePicture(
                WholePictureReply(
                    format: .webp, width: 640, height: 479, hasOpacity: true, originalWidth: 6400,
                    originalHeight: 4790)), .wholePictureWritten(isDamaged: true),
            .wholeFrames(WholeFramesReply(format: .gif, isTimed: true, duration: 1_200_000, loopCount: 7)),
            .wholeFrame(
                WholePictureReply(
                    format: .gif, width: 200, height: 100, hasOpacity: true, originalWidth: 400, originalHeight: 200),
                TimeSpan(start: 400_000, end: 500_000)),
            .media(MediaReply(format: .video, trackCount: 258, sequence: .part(1..<(1 << 33)))),
            .track(TrackReply(isTimed: true, isComplete: false, duration: 7)),
            .frame(
                FrameReply(
                    image: ImageReply(
                        format: .video, originalWidth: 1920, originalHeight: 1080,
                        pixels: PixelDescription(width: 274, height: 270, bytesPerRow: 822), viewCount: 1,
                        testPatterns: []), shown: TimeSpan(start: 1, end: 1 << 40))),
            .repetition(TimeSpan(start: 5, end: 6)), .progress(TrackProgress(share: 65_535, position: 3)), .closed,
            .trackEnd(TrackEnd(duration: 1, decodedFrameCount: 2, longestUnseen: 3, reason: .tooManyFrames)),
            .modelLoaded(ModelLoadReport(wasCompiled: true, compiledByteCount: 1 << 33, drawings: [[0.5], [0.25]])),
            .modelFailure(ModelFailure(.wrongAnswer, "no")), .scores([[0.5, 0.75], [1, 0]]),
            .innerPictures([]),
            .innerPictures([
                InnerPicture(
                    rectangle: UnitRectangle(left: 0, top: 0.25, right: 0.5, bottom: 1), scores: [0.5, 1],
                    mapScores: [0.25, 0]),
                InnerPicture(
                    rectangle: UnitRectangle(left: 0.25, top: 0, right: 1, bottom: 0.5), scores: [1], mapScores: []),
            ]),
            .placeScores(nil), .placeScores(largestPlaces),
            .labelScores([]), .labelScores(Array(repeating: 0.25, count: HelperReply.maximumLabelCount)),
            .fileReady(byteCount: 1 << 33), .streamOpened, .streamWaits, .streamEnd,
            .streamFrame(
                StreamFrameReply(
                    width: 1920, height: 1080, isFullRange: true, matrix: .bt709, moment: 1 << 40, followsLoss: true)),
            .streamFrame(StreamFrameReply(width: 1, height: 2, isFullRange: false, matrix: .bt601)),
        ] + MediaContent.allCases.map { .content($0) } + [
            .failure(DecodingFailure(.tooManyPixels, format: .png, value: .max, bound: 7, detail: "x"))
        ]

    /// A map of the largest size, larger than the picture.
    private static let largestPlaces = PlaceScores(
        rectangle: UnitRectangle(left: -0.5, top: 0, right: 1.5, bottom: 1), rows: 16, columns: 16,
        scores: (0..<256).map { Float($0) / 255 })

    @Test func `Messages carry no impossible scores of places`() throws {
        let reply = HelperReply.placeScores(
            PlaceScores(
                rectangle: UnitRectangle(left: 0, top: 0, right: 1, bottom: 1), rows: 1, columns: 2, scores: [0.5, 1]))
        let bytes = reply.encoded(answering: serial)
        // Behind the header: a flag, four edges, rows, columns and two scores.
        let first = bytes.count - 27
        func changed(_ offset: Int, to new: [UInt8]) -> [UInt8] {
            var changed = bytes
            changed.replaceSubrange((first + offset)..<(first + offset + new.count), with: new)
            return changed
        }
        let (nan, two, zero): ([UInt8], [UInt8], [UInt8]) = ([0, 0, 0xC0, 0x7F], [0, 0, 0, 0x40], [0, 0, 0, 0])
        for impossible in [
            changed(0, to: [2]), changed(1, to: nan), changed(9, to: zero), changed(17, to: [0]),
            changed(17, to: [17]), changed(18, to: [0]), changed(19, to: nan), changed(23, to: two),
        ] {
            #expect(throws: MessageError.valueOutOfRange) { try HelperReply(decoding: impossible) }
        }
        #expect(try HelperReply(decoding: bytes) == reply)
    }

    @Test("Messages carry every limit unchanged, and none that an app cannot set")
    func limits() throws {
        var limits = AnalysisLimits()
        for bound in AnalysisLimits.counts { limits[keyPath: bound.value] += 1 }
        for bound in AnalysisLimits.times { limits[keyPath: bound.value] -= .microseconds(1) }
        func returned(_ limits: AnalysisLimits) throws -> DecoderRequest {
            let picture = ImageRequest(minimumWidth: 1, minimumHeight: 1, limits: limits)
            let request = DecoderRequest.open(OpenRequest(picture: picture, preset: .fast))
            return try DecoderRequest(decoding: request.encoded(as: serial))
        }
        guard case .open(let request) = try returned(limits) else { throw MessageError.unknownKind }
        #expect(request.limits == limits)
        for bound in AnalysisLimits.counts {
            var wrong = limits
            wrong[keyPath: bound.value] = 0
            #expect(throws: MessageError.valueOutOfRange) { try returned(wrong) }
        }
        for bound in AnalysisLimits.times {
            var wrong = limits
            wrong[keyPath: bound.value] = .zero
            #expect(throws: MessageError.valueOutOfRange) { try returned(wrong) }
        }
    }

    @Test("Messages carry no impossible setup of a model")
    func impossibleSetups() {
        let changes: [(inout ModelSetup) -> Void] = [
            { $0.input.width = 0 }, { $0.input.resize.width = 1 << 20 }, { $0.outputs = [] }, { $0.laneCount = 0 },
            { $0.laneCount = 200 }, { $0.input.mean = [.nan, 0, 0] }, { $0.labels?.count = 1 << 20 },
        ]
        for change in changes {
            var setup = Self.setup
            change(&setup)
            #expect(throws: MessageError.self) {
                try ModelRequest(decoding: ModelRequest.loadModel(setup).encoded(as: serial))
            }
        }
    }

    @Test func `A request is decoded as it was sent, and by no helper of another kind`() throws {
        func check<Request: HelperRequest>(_ requests: [Request]) throws {
            for request in requests {
                let bytes = request.encoded(as: serial)
                #expect(try Request(decoding: bytes) == request)
                guard request != .hello else { continue }
                let kinds: [any HelperRequest.Type] = [DecoderRequest.self, ModelRequest.self, ImporterRequest.self]
                for other in kinds where other != Request.self {
                    #expect(throws: MessageError.unknownKind) { _ = try other.init(decoding: bytes) }
                }
            }
        }
        try check(Self.decoderRequests)
        try check(Self.modelRequests)
        try check(Self.importerRequests)
        try check(Self.encoderRequests)
    }

    @Test(arguments: replies) func `A reply is decoded as it was encoded`(reply: HelperReply) throws {
        #expect(try HelperReply(decoding: reply.encoded(answering: serial)) == reply)
    }

    @Test("Messages carry each content type whose test pattern was found", arguments: ContentType.allCases)
    func contentTypes(type: ContentType) throws {
        let reply = HelperReply.testPatterns([type])
        #expect(try HelperReply(decoding: reply.encoded(answering: serial)) == reply)
    }

    @Test("Messages have the layout of version 20, byte for byte")
    func layout() {
        // A change of these bytes is a change of the protocol, and needs a new version.
        #expect(
            Self.decoderRequests[1].encoded(as: serial) == [
                0x53, 0x43, 0x41, 0x44, 20, 0, 2, 0, 8, 7, 6, 5, 4, 3, 2, 1,  // the header
                0, 1, 0, 0, 1, 1, 0, 0,  // the smallest width and height
                0, 0, 0, 0, 0, 1, 0, 0,  // largest file, in bytes
                0xFF, 0xFF, 0, 0, 0, 0, 0, 0,  // longest edge, in pixels
                0x00, 0xE1, 0xF5, 0x05, 0, 0, 0, 0,  // largest picture, in pixels
                0x00, 0xA3, 0xE1, 0x11, 0, 0, 0, 0,  // largest picture of a streamed format, in pixels
                0, 0, 0, 0, 0, 1, 0, 0,  // largest video, in bytes
                9, 0, 0, 0, 0, 0, 0, 0,  // largest number of frames
                0, 0, 0, 0x40, 0, 0, 0, 0,  // memory of the decoder, in bytes
                0x80, 0x96, 0x98, 0, 0, 0, 0, 0,  // 10 s for a picture
                0x00, 0xA4, 0x93, 0xD6, 0, 0, 0, 0,  // an hour for a file
                0x00, 0x87, 0x93, 0x03, 0, 0, 0, 0,  // a minute for an animation
                0x41, 0x42, 0x0F, 0, 0, 0, 0, 0,  // longest video
                1,  // searches for test patterns
                3, 0,  // the preset, no sequence
            ])
        #expect(
            Self.replies[1].encoded(answering: serial) == [
                0x53, 0x43, 0x41, 0x44, 20, 0, 102, 0, 8, 7, 6, 5, 4, 3, 2, 1, 5, 0xA0, 0x0F, 0, 0, 0xB8, 0x0B, 0, 0,
                0xF4, 1, 0, 0, 0x77, 1, 0,
                0, 0xDC, 5, 0, 0, 2, 2, 1,
            ])
        #expect(
            Self.replies[Self.replies.count - 1].encoded(answering: serial) == [
                0x53, 0x43, 0x41, 0x44, 20, 0, 104, 0, 8, 7, 6, 5, 4, 3, 2, 1, 9, 2,
            ]
                + Array(repeating: 0xFF, count: 8) + [7, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0x78])
    }

    @Test("Messages are refused when they are cut anywhere, or too long")
    func lengths() {
        for reply in Self.replies {
            let bytes = reply.encoded(answering: serial)
            for length in 0..<bytes.count {
                #expect(throws: MessageError.self) { try HelperReply(decoding: Array(bytes.prefix(length))) }
            }
            #expect(throws: MessageError.tooLong) { try HelperReply(decoding: bytes + [0]) }
        }
        for request in Self.requests {
            let bytes = request.encoded(as: serial)
            for length in 0..<bytes.count {
                #expect(throws: MessageError.self) {
                    _ = try type(of: request).init(decoding: Array(bytes.prefix(length)))
                }
            }
        }
    }

    @Test("Messages with another version, kind, format or reason are refused")
    func values() {
        func changed(_ reply: HelperReply, _ index: Int, _ value: UInt8) -> [UInt8] {
            var bytes = reply.encoded(answering: serial)
            bytes[index] = value
            return bytes
        }
        for (reply, index, value) in [
            (Self.replies[0], 0, UInt8(0)), (Self.replies[0], 4, 4), (Self.replies[0], 6, 99),
            (Self.replies[1], 16, 77),
            (Self.replies[3], 16, 0),
        ] {
            #expect(throws: MessageError.self) { try HelperReply(decoding: changed(reply, index, value)) }
        }
    }

    @Test("Messages carry text that is safe to show, whatever the decoder wrote")
    func text() throws {
        let hostile = HelperReply.failure(DecodingFailure(.malformed, detail: "a\u{1B}[2J\n\u{202E}z"))
        guard case .failure(let failure) = try HelperReply(decoding: hostile.encoded(answering: serial)) else {
            Issue.record("no failure")
            return
        }
        #expect(failure.detail == "a?[2J????z")
    }

    @Test("Random changes of a message cause no crash")
    func randomChanges() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            guard var bytes = Self.replies.randomElement(using: &random)?.encoded(answering: serial) else { continue }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = try? HelperReply(decoding: bytes)
            _ = try? DecoderRequest(decoding: bytes)
            _ = try? ModelRequest(decoding: bytes)
            _ = try? ImporterRequest(decoding: bytes)
        }
    }
}
