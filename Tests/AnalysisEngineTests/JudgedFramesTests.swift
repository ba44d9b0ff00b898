// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import HelperProtocol
import Synchronization
import TestSupport
import Testing

@Suite("Frames that are given out after they were judged")
struct JudgedFramesTests {
    /// A frame that was given out.
    struct Given: Equatable {
        let width: Int
        let height: Int
        let hasOpacity: Bool
        let bytes: [UInt8]
        let start: Duration
        let end: Duration

        init(_ frame: WholeFrame) {
            let picture = frame.picture.picture
            (width, height) = (picture.layout.width, picture.layout.height)
            hasOpacity = picture.layout.format.hasOpacity
            bytes = unsafe picture.memory.withBytes { unsafe Array($0.prefix(picture.layout.byteCount)) }
            (start, end) = (frame.start, frame.end)
        }

        /// The mean level of the colours.
        var brightness: Double {
            let size = hasOpacity ? 4 : 3
            let colours = bytes.indices.filter { $0 % size < 3 }
            return Double(colours.reduce(0) { $0 + Int(bytes[$1]) }) / Double(255 * colours.count)
        }
    }

    static func request(
        policy: AnalysisPolicy = .simple, duration: Duration = .seconds(60), findsTestPatterns: Bool = false
    ) -> AnalysisRequest {
        let limits = AnalysisLimits { $0.maximumDuration = duration }
        return AnalysisRequest(policy: policy, limits: limits, findsTestPatterns: findsTestPatterns)
    }

    /// Judges the frames of a file, and reads them.
    private static func frames(
        of path: String, request: AnalysisRequest = request(), maximumEdge: Int? = nil, keptByteCount: Int = 64 << 20,
        score: @escaping @Sendable (PixelImage) throws -> Float = { _ in 0 }
    ) async throws -> (judged: JudgedFrames, frames: [Given]) {
        let engine = AnalysisEngineTests.engine(score: score)
        let judged = try await engine.judgedFrames(
            request, maximumEdge: maximumEdge, keptByteCount: keptByteCount
        ) { .file(path: path) }.get()
        let reader = JudgedFrameReader(judged, request, maximumEdge: maximumEdge, engine: engine) { .file(path: path) }
        return (judged, try await all(reader))
    }

    private static func all(_ reader: JudgedFrameReader) async throws -> [Given] {
        var frames: [Given] = []
        while let frame = try await reader.next() { frames.append(Given(frame)) }
        return frames
    }

    private static func fixture(_ name: String) -> String { TestFiles.fixtures.appendingPathComponent(name).path }

    /// Calls the closure with a new video whose frames have the brightness that an expression gives.
    private static func withVideo(
        seconds: Double = 1, brightness: String, size: String = "320x180", rate: String = "25",
        _ options: [String] = TestVideo.shortGroups, _ body: (String) async throws -> Void
    ) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await TestVideo.make(
                file, seconds: seconds, brightness: brightness, size: size, rate: rate, options)
            try await body(file.path)
        }
    }

    @Test(arguments: [
        "animated.gif", "animated.webp", "animated.png", "animated.jxl", "sequence.avif", "sequence.heic",
    ])
    func `Every picture of an animation is given out at its full size, with its time`(name: String) async throws {
        let (judged, frames) = try await Self.frames(of: Self.fixture("several/\(name)"))
        #expect(judged.analysis.kind == .animation && judged.count == frames.count && !judged.isDamaged)
        #expect(frames.count >= 3)
        var wanted: [Given] = []
        for number in 1...3 {
            wanted += try await Self.frames(of: Self.fixture("several/frame-\(number).png")).frames
        }
        for (frame, wanted) in zip(frames, wanted) {
            #expect((frame.width, frame.height) == (wanted.width, wanted.height))
            let step = frame.hasOpacity ? 4 : 3, other = wanted.hasOpacity ? 4 : 3
            let sum = (0..<(frame.width * frame.height)).reduce(0) { sum, pixel in
                sum
                    + (0..<3).reduce(0) {
                        $0 + abs(Int(frame.bytes[pixel * step + $1]) - Int(wanted.bytes[pixel * other + $1]))
                    }
            }
            #expect(sum < 12 * 3 * frame.width * frame.height, "\(name)")
        }
        for (frame, next) in zip(frames, frames.dropFirst()) {
            #expect(frame.end == next.start && frame.start < frame.end)
        }
    }

    @Test(arguments: ["png", "webp", "tiff", "heic", "avif", "jxl", "bmp", "jpg"])
    func `A picture of each format is given out as its only frame`(ending: String) async throws {
        let (judged, frames) = try await Self.frames(of: Self.fixture("plain/plain.\(ending)"))
        #expect(judged.analysis.kind == .image && frames.count == 1)
        let wanted = try await Self.frames(of: Self.fixture("plain/plain.png")).frames
        #expect(abs((frames.first?.brightness ?? 0) - (wanted.first?.brightness ?? 1)) < 0.02)
    }

    @Test func `A picture that does not move is its only frame`() async throws {
        let (judged, frames) = try await Self.frames(of: Self.fixture("plain/plain.jpg")) { _ in 0.8 }
        #expect(judged.analysis.kind == .image && judged.analysis.isSensitive && judged.analysis.duration == nil)
        #expect(frames.count == 1 && judged.count == 1)
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"), arguments: [0, 64 << 20])
    func `All frames of a video are given out with their times, kept in memory or decoded again`(
        keptByteCount: Int
    ) async throws {
        try await Self.withVideo(brightness: "N/25") { path in
            let (judged, frames) = try await Self.frames(of: path, keptByteCount: keptByteCount)
            #expect(judged.analysis.kind == .video && judged.count == 25 && frames.count == 25)
            for (number, frame) in frames.enumerated() {
                #expect(abs(frame.brightness - Double(number) / 25) < 0.02, "\(number)")
                #expect(frame.start == .milliseconds(40 * number) && frame.end == .milliseconds(40 * (number + 1)))
            }
            #expect(judged.size == (320, 180))
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `Frames are given out upright, with square pixels, and no larger than asked for`() async throws {
        let options = TestVideo.shortGroups + ["-vf", "setsar=2"]
        try await Self.withVideo(seconds: 0.2, brightness: "0.5+0.4*(X/W)", size: "320x180", options) { source in
            let turned = URL(fileURLWithPath: source).deletingLastPathComponent().appendingPathComponent("b.mp4")
            try await TestVideo.make(turned, ["-i", source, "-c", "copy", "-metadata:s:v:0", "rotate=90"])
            let path = turned.path
            let (judged, frames) = try await Self.frames(of: path)
            #expect(judged.size == (90, 320), "\(judged.size)")
            let small = try await Self.frames(of: path, maximumEdge: 64)
            #expect(small.judged.size == (18, 64), "\(small.judged.size)")
            // FFmpeg's program turns the right edge, which is brighter, to the top.
            let frame = try #require(frames.first)
            #expect(Int(frame.bytes[0]) > Int(frame.bytes[frame.bytes.count - 3]) + 60)
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `A single frame that reaches the strong threshold is found wherever it is`() async throws {
        for number in [0, 1, 13, 24] {
            try await Self.withVideo(brightness: "if(eq(N,\(number)),0.9,0.2)") { path in
                let (judged, frames) = try await Self.frames(of: path) { AnalysisEngineTests.brightness($0) }
                #expect(!judged.analysis.isSensitive && judged.analysis.score > 0.85, "\(number)")
                #expect(frames.count == 25)
                let strong = try await Self.frames(of: path) { AnalysisEngineTests.brightness($0) > 0.8 ? 0.95 : 0.1 }
                #expect(strong.judged.analysis.isSensitive, "\(number)")
            }
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `Frames that look the same are judged once`() async throws {
        try await Self.withVideo(seconds: 2, brightness: "if(lt(N,25),0.3,0.6)") { path in
            let count = Shared(0)
            let (judged, _) = try await Self.frames(of: path) { _ in
                count.change { $0 += 1 }
                return 0
            }
            #expect(judged.count == 50 && judged.analysis.framesDecoded == 50)
            #expect(count.value == judged.analysis.framesAnalyzed && (2...6).contains(count.value), "\(count.value)")
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `A shot over the ordinary threshold for a second makes the frames sensitive, and they are still given out`()
        async throws
    {
        try await Self.withVideo(seconds: 3, brightness: "if(between(N,20,50),0.8,0.1)") { path in
            let (judged, frames) = try await Self.frames(of: path) { AnalysisEngineTests.brightness($0) }
            #expect(judged.analysis.isSensitive && frames.count == 75)
            #expect(judged.analysis.firstSensitiveTime == .milliseconds(800))
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `A reader that pauses goes on with the next frame, and each reader begins with the first`() async throws {
        try await Self.withVideo(brightness: "N/25") { path in
            let engine = AnalysisEngineTests.engine { _ in 0 }
            let request = Self.request()
            let judged = try await engine.judgedFrames(request, maximumEdge: 64, keptByteCount: 0) {
                .file(path: path)
            }.get()
            func reader() -> JudgedFrameReader {
                JudgedFrameReader(
                    judged, request, maximumEdge: 64, engine: engine, longestPause: .milliseconds(20)
                ) { .file(path: path) }
            }
            let (first, second) = (reader(), reader())
            var frames: [Given] = []
            for _ in 0..<3 {
                frames.append(Given(try #require(try await first.next())))
                try await Task.sleep(for: .milliseconds(60))
            }
            frames += try await Self.all(first)
            #expect(frames == (try await Self.all(second)) && frames.count == 25)
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `A file that becomes sensitive after it was judged gives out no sensitive frame`() async throws {
        try await Self.withVideo(brightness: "0.2") { path in
            try await Self.withVideo(brightness: "if(lt(N,5),0.2,0.9)") { other in
                let engine = AnalysisEngineTests.engine { AnalysisEngineTests.brightness($0) > 0.6 ? 1 : 0 }
                let request = Self.request()
                let judged = try await engine.judgedFrames(request, maximumEdge: nil, keptByteCount: 0) {
                    .file(path: path)
                }.get()
                #expect(!judged.analysis.isSensitive)
                try Data(contentsOf: URL(fileURLWithPath: other)).write(to: URL(fileURLWithPath: path))
                let reader = JudgedFrameReader(judged, request, maximumEdge: nil, engine: engine) { .file(path: path) }
                var frames: [Given] = []
                await #expect {
                    while let frame = try await reader.next() { frames.append(Given(frame)) }
                } throws: { error in
                    (error as? AnalysisFailure)?.code == .sensitiveMedia
                }
                #expect(frames.count == 5 && frames.allSatisfy { $0.brightness < 0.3 })
            }
        }
    }

    @Test func `A video over the limit of its duration is refused, and a disabled policy judges nothing`() async throws
    {
        let path = Self.fixture("several/animated.gif")
        await #expect {
            _ = try await Self.frames(of: path, request: Self.request(duration: .milliseconds(50)))
        } throws: { error in
            (error as? AnalysisFailure)?.code == .limitExceeded
        }
        await #expect {
            _ = try await Self.frames(of: path, request: Self.request(policy: .disabled))
        } throws: { error in
            (error as? AnalysisFailure)?.code == .analysisDisabled
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `A frame that looks the same is judged after half a second, and in test mode at once`() async throws {
        // The picture has noise that no sketch shows.
        try await Self.withVideo(seconds: 3, brightness: "0.4+0.004*mod(N,2)*mod(X,2)") { path in
            let (judged, _) = try await Self.frames(of: path)
            #expect((6...12).contains(judged.analysis.framesAnalyzed), "\(judged.analysis.framesAnalyzed)")
        }
        try await Self.withVideo(seconds: 1, brightness: "0.3+0.01*N") { path in
            let (judged, frames) = try await Self.frames(of: path, request: Self.request(findsTestPatterns: true))
            #expect(judged.analysis.framesAnalyzed == Set(frames.map(\.bytes)).count)
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `Frames without times of their own are shown in steps, and frames before an edit list are not`()
        async throws
    {
        try await TestFiles.withFolder { folder in
            let film = folder.appendingPathComponent("a.avi")
            try await TestVideo.make(
                film, seconds: 1, brightness: "N/25", ["-c:v", "libx264", "-bf", "3", "-b_strategy", "0"])
            let (_, frames) = try await Self.frames(of: film.path)
            #expect(frames.count == 25)
            let steps = zip(frames, frames.dropFirst()).map { ($1.start - $0.start) / .milliseconds(1) }
            #expect(steps.allSatisfy { abs($0 - 40) < 1 }, "\(steps)")
            // An MP4 file whose frames have the times of decoding.
            let wrong = folder.appendingPathComponent("d.mp4")
            try await TestVideo.make(wrong, ["-i", film.path, "-c", "copy", "-bsf:v", "setts=pts=DTS"])
            let (_, others) = try await Self.frames(of: wrong.path)
            #expect(others.count == 25)
            let otherSteps = zip(others, others.dropFirst()).map { ($1.start - $0.start) / .milliseconds(1) }
            #expect(otherSteps.filter { abs($0 - 40) < 1 }.count > 20, "\(otherSteps)")
            let source = folder.appendingPathComponent("b.mp4")
            let cut = folder.appendingPathComponent("c.mp4")
            try await TestVideo.make(source, seconds: 2, brightness: "N/50", ["-c:v", "libx264", "-g", "50"])
            try await TestVideo.make(cut, ["-ss", "1.0", "-i", source.path, "-c", "copy"])
            let (judged, rest) = try await Self.frames(of: cut.path)
            #expect((24...26).contains(judged.count), "\(judged.count)")
            #expect(rest.first?.start == .zero && (rest.first?.brightness ?? 0) > 0.45)
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `A cut Matroska file gives out its frames up to there, and is marked as damaged`() async throws {
        try await TestFiles.withFolder { folder in
            let film = folder.appendingPathComponent("a.mkv")
            try await TestVideo.make(film, seconds: 3, brightness: "N/75", TestVideo.shortGroups)
            #expect(try await !Self.frames(of: film.path).judged.isDamaged)
            let bytes = try Data(contentsOf: film)
            let cut = folder.appendingPathComponent("cut.mkv")
            try bytes.prefix(bytes.count * 2 / 3).write(to: cut)
            let (judged, frames) = try await Self.frames(of: cut.path)
            #expect(judged.isDamaged && (20..<75).contains(frames.count), "\(frames.count)")
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `A task that is cancelled while a reader opens its file gets a cancellation`() async throws {
        try await Self.withVideo(seconds: 0.2, brightness: "0.5") { path in
            let engine = AnalysisEngineTests.engine { _ in 0 }
            let request = Self.request()
            let judged = try await engine.judgedFrames(request, maximumEdge: nil, keptByteCount: 0) {
                .file(path: path)
            }.get()
            let caller = Mutex<Task<Void, any Error>?>(nil)
            let reader = JudgedFrameReader(judged, request, maximumEdge: nil, engine: engine) {
                caller.withLock { $0?.cancel() }
                return .file(path: path)
            }
            let task = caller.withLock { caller in
                let task = Task { _ = try await reader.next() }
                caller = task
                return task
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test(.enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
    func `Callers that ask one reader at the same time get each frame once`() async throws {
        try await Self.withVideo(brightness: "N/25") { path in
            let engine = AnalysisEngineTests.engine { _ in 0 }
            let request = Self.request()
            let judged = try await engine.judgedFrames(request, maximumEdge: 64, keptByteCount: 0) {
                .file(path: path)
            }.get()
            let reader = JudgedFrameReader(
                judged, request, maximumEdge: 64, engine: engine, longestPause: .milliseconds(1)
            ) { .file(path: path) }
            let starts = try await withThrowingTaskGroup(of: Duration?.self) { group in
                for _ in 0..<30 { group.addTask { try await reader.next()?.start } }
                return try await group.reduce(into: [Duration]()) { $0 += $1.map { [$0] } ?? [] }
            }
            #expect(starts.sorted() == (0..<25).map { .milliseconds(40 * $0) })
        }
    }
}
