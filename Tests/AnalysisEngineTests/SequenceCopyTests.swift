// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import HelperProtocol
import TestSupport
import Testing

@Suite("Copies of judged animations and videos")
struct SequenceCopyTests {
    private static func copy(
        _ path: String, _ format: CopyEncoding.Format?, maximumEdge: Int? = nil,
        sensitive treatment: JudgedCopy.Treatment = .refusal, findsTestPatterns: Bool = false,
        score: @escaping @Sendable (PixelImage) throws -> Float = { _ in 0 }
    ) async throws -> JudgedCopy {
        let request = JudgedFramesTests.request(findsTestPatterns: findsTestPatterns)
        return try await AnalysisEngineTests.engine(score: score).judgedCopy(
            request, maximumEdge: maximumEdge, CopyEncoding(format: format), sensitive: treatment
        ) { .file(path: path) }.get()
    }

    /// The frames of a file, and how often they are shown.
    static func frames(
        _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> (frames: [JudgedFramesTests.Given], loopCount: Int, kind: AnalyzedMediaKind) {
        let engine = AnalysisEngineTests.engine { _ in 0 }
        let request = JudgedFramesTests.request()
        let judged = try await engine.judgedFrames(request, maximumEdge: nil, keptByteCount: 1 << 30, makeInput).get()
        let reader = JudgedFrameReader(judged, request, maximumEdge: nil, engine: engine, makeInput)
        var frames: [JudgedFramesTests.Given] = []
        while let frame = try await reader.next() { frames.append(JudgedFramesTests.Given(frame)) }
        return (frames, judged.loopCount, judged.analysis.kind)
    }

    private static func fixture(_ name: String) -> String { TestFiles.fixtures.appendingPathComponent(name).path }

    @Test(
        arguments: ["animated.gif", "animated.webp", "animated.png", "animated.jxl", "sequence.avif"],
        [CopyEncoding.Format.webp, .mp4])
    func `A copy of an animation has its frames, with their times`(
        name: String, format: CopyEncoding.Format
    ) async throws {
        let path = Self.fixture("several/\(name)")
        let original = try await Self.frames { .file(path: path) }
        let file = try #require(try await Self.copy(path, format).file)
        let copy = try await Self.frames { .memory(file) }
        #expect(copy.kind == (format == .webp ? .animation : .video))
        if format == .webp { #expect(copy.loopCount == original.loopCount) }
        #expect(copy.frames.count == original.frames.count)
        for (frame, wanted) in zip(copy.frames, original.frames) {
            #expect(abs(frame.start / .seconds(1) - wanted.start / .seconds(1)) < 0.002)
            #expect(abs(frame.end / .seconds(1) - wanted.end / .seconds(1)) < 0.002)
            #expect(abs(frame.width - wanted.width) <= 1 && abs(frame.height - wanted.height) <= 1)
            #expect(abs(frame.brightness - wanted.brightness) < 0.02, "\(name)")
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `A copy of a video has all its frames, and nothing of the encoder or the original in its file`() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mkv")
            try await TestVideo.make(
                file, seconds: 2, brightness: "N/50", size: "321x181", rate: "25",
                ["-c:v", "libx264", "-pix_fmt", "yuv444p", "-metadata", "title=PRIVATE"])
            let copied = try #require(try await Self.copy(file.path, .mp4).file)
            let copy = try await Self.frames { .memory(copied) }
            #expect(copy.frames.count == 50)
            for (number, frame) in copy.frames.enumerated() {
                #expect(abs(frame.brightness - Double(number) / 50) < 0.03, "\(number)")
                #expect(frame.start == .milliseconds(40 * number))
            }
            let text = unsafe copied.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
            for word in ["x264", "Lavf", "Lavc", "PRIVATE"] { #expect(!text.contains(word), "\(word)") }
            #expect(text.contains("moov") && text.prefix { $0 != "m" }.count < 100)
            let small = try #require(try await Self.copy(file.path, .mp4, maximumEdge: 64).file)
            #expect(try await Self.frames { .memory(small) }.frames.first?.width == 64)
        }
    }

    @Test func `A file of one picture becomes a picture of WebP, and a film of a second`() async throws {
        let path = Self.fixture("plain/plain.png")
        let picture = try #require(try await Self.copy(path, .webp).file)
        #expect(try await Self.frames { .memory(picture) }.kind == .image)
        let film = try #require(try await Self.copy(path, .mp4).file)
        let frames = try await Self.frames { .memory(film) }
        #expect(frames.frames.count == 1 && frames.frames.first?.end == .seconds(1))
    }

    @Test(arguments: [
        ("plain/plain.jpg", CopyEncoding.Format.jpeg), ("plain/plain.heic", .jpeg), ("plain/plain.png", .png),
        ("colour/rgba.png", .png), ("plain/plain.webp", .webp), ("several/animated.gif", .webp),
        ("several/sequence.avif", .webp),
    ])
    func `Without a wish for a format, a copy has the kind of its file`(
        name: String, format: CopyEncoding.Format
    ) async throws {
        let path = Self.fixture(name)
        let copy = try await Self.copy(path, nil)
        #expect(copy.format == format)
        let file = try #require(copy.file)
        let original = try await Self.frames { .file(path: path) }
        let copied = try await Self.frames { .memory(file) }
        #expect(copied.kind == original.kind && copied.frames.count == original.frames.count)
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `Without a wish for a format, the copy of a video is a film, also of one frame`() async throws {
        try await TestFiles.withFolder { folder in
            for length in ["1", "0.02"] {
                let file = folder.appendingPathComponent("\(length).mkv")
                try await TestVideo.make(file, seconds: 1, brightness: "0.4", ["-t", length, "-c:v", "libx264"])
                let copy = try await Self.copy(file.path, nil)
                #expect(copy.format == .mp4)
                let film = try #require(copy.file)
                #expect(try await Self.frames { .memory(film) }.kind == .video)
            }
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `A video has no copy as WebP, and its error names the right format`() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await TestVideo.make(file, seconds: 1, brightness: "0.4", ["-c:v", "libx264"])
            for format in [CopyEncoding.Format.webp, .png] {
                let failure = try await #require(throws: AnalysisFailure.self) {
                    try await Self.copy(file.path, format)
                }
                #expect(failure.code == .unsupportedMedia && failure.message.contains("MP4"), "\(failure.message)")
            }
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `Nothing is written of a sensitive video, unless a person wants it or a cover is asked for`() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await TestVideo.make(
                file, seconds: 2, brightness: "if(eq(N,30),0.9,0.2*(X/W))", ["-c:v", "libx264"])
            func copy(_ treatment: JudgedCopy.Treatment) async throws -> JudgedCopy {
                try await Self.copy(file.path, .mp4, sensitive: treatment) {
                    AnalysisEngineTests.brightness($0) > 0.7 ? 0.95 : 0
                }
            }
            let refused = try await copy(.refusal)
            #expect(refused.analysis.isSensitive && refused.file == nil)
            let wanted = try #require(try await copy(.picture).file)
            #expect(try await Self.frames { .memory(wanted) }.frames.count == 50)
            let covered = try #require(try await copy(.cover).file)
            let cover = try await Self.frames { .memory(covered) }
            #expect(cover.frames.count == 1 && cover.kind == .video)
        }
    }

    @Test func `A sequence whose encoder cannot hold it is a limit, and the encoder goes on`() async throws {
        let wide = try #require(PixelLayout(width: 20_000, height: 1, bytesPerRow: 60_000, format: .rgb24))
        let small = try #require(PixelLayout(width: 16, height: 16, bytesPerRow: 48, format: .rgb24))
        let service = AnalysisEngineTests.encoding
        for format in SequenceEncoding.Format.allCases {
            let encoding = SequenceEncoding(format: format)
            let failure = try await #require(throws: AnalysisFailure.self) {
                try await service.encodeSequence(limits: AnalysisLimits()) { try await $0.begin(encoding, size: wide) }
            }
            #expect(failure.code == .limitExceeded, "\(failure.message)")
            let picture = try SealedPicture(
                layout: small, memory: try .copying([UInt8](repeating: 90, count: small.byteCount)))
            let file = try await service.encodeSequence(limits: AnalysisLimits()) { sequence in
                try await sequence.begin(encoding, size: small)
                for number in 0..<3 {
                    let start = Duration.milliseconds(100 * number)
                    try await sequence.add(picture, from: start, to: start + .milliseconds(100), format)
                }
                return try await sequence.finish(format)
            }
            #expect(file.byteCount > 0)
            // A frame of another size than the first one does not fit.
            let other = try await #require(throws: AnalysisFailure.self) {
                try await service.encodeSequence(limits: AnalysisLimits()) { sequence in
                    try await sequence.begin(encoding, size: small)
                    let narrow = try #require(PixelLayout(width: 8, height: 16, bytesPerRow: 24, format: .rgb24))
                    try await sequence.add(
                        try SealedPicture(layout: narrow, memory: picture.memory), from: .zero, to: .seconds(1), format)
                }
            }
            #expect(other.code == .limitExceeded)
        }
    }

    @Test(arguments: [[100, 100, 10_000], [2000, 30, 40]])
    func `A copy as MP4 lasts as long as the animation, whichever frame is the longest`(
        milliseconds: [Int]
    ) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.gif")
            try Data(Self.animation(milliseconds)).write(to: file)
            let copied = try #require(try await Self.copy(file.path, .mp4).file)
            let frames = try await Self.frames { .memory(copied) }.frames
            #expect(frames.count == milliseconds.count)
            for (frame, length) in zip(frames, milliseconds) {
                #expect(abs((frame.end - frame.start) / .milliseconds(1) - Double(length)) < 1)
            }
        }
    }

    /// Returns a GIF of 16 × 16 pixels whose frames are plain, and shown for these times.
    private static func animation(_ milliseconds: [Int]) -> [UInt8] {
        let head = Array("GIF89a".utf8) + [16, 0, 16, 0, 0xF0, 0, 0, 0, 0, 0, 255, 255, 255]
        let frames = milliseconds.enumerated().flatMap { number, length -> [UInt8] in
            let time = length / 10
            let control: [UInt8] = [0x21, 0xF9, 4, 4, UInt8(time & 255), UInt8(time >> 8), 0, 0]
            let place: [UInt8] = [0x2C, 0, 0, 0, 0, 16, 0, 16, 0, 0, 2]
            // Every code is one of three bits: clear, then a pixel.
            var bits: [UInt8] = []
            for _ in 0..<256 {
                for code in [4, number % 2] { for bit in 0..<3 { bits.append(UInt8(code >> bit & 1)) } }
            }
            for bit in 0..<3 { bits.append(UInt8(5 >> bit & 1)) }
            let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
                bits[start..<min(start + 8, bits.count)].enumerated().reduce(0 as UInt8) {
                    $0 | $1.element << $1.offset
                }
            }
            return control + place + [UInt8(bytes.count)] + bytes + [0]
        }
        return head + frames + [0x3B]
    }
}
