// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// No @testable here: this is what an app sees.
import AnalysisCore
import Foundation
import SensitiveContentAnalysis
import TestSupport
import Testing

@Suite(
    "The analysis of a video, as an app sees it", .serialized,
    .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
    .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct VideoHandlerTests {
    init() throws {
        try MachinePolicy.ignore()
    }

    static func analyzer(_ preset: SCSensitivityAnalyzer.SamplingPreset = .balanced) -> SCSensitivityAnalyzer {
        SCSensitivityAnalyzer(
            configuration: .init(demandedPolicy: .simpleInterventions, samplingPreset: preset))
    }

    /// A video of which every frame is another, so that the thorough preset has much to do.
    static func withLongVideo(_ body: (URL) async throws -> Void) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("long.mp4")
            try await TestVideo.make(
                file,
                ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=60", "-c:v", "libx264", "-preset", "ultrafast"])
            try await body(file)
        }
    }

    @Test("The analysis of a video gives the same verdict each time, and progress that ends at 1")
    func verdict() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await TestVideo.make(file, seconds: 30, brightness: "0.2+0.2*sin(N/9)", ["-c:v", "libx264"])
            let handler = Self.analyzer().videoAnalysis(forFileAt: file)
            let progress = handler.progress
            #expect(progress.fractionCompleted == 0)
            let updates = Task {
                var seen: [Double] = []
                for await update in handler.progressUpdates { seen.append(update.fractionCompleted) }
                return seen
            }
            let response = try await handler.hasSensitiveContent()
            #expect(!response.isSensitive && response.modelName == "open-nsfw")
            #expect(progress.fractionCompleted == 1 && progress.completedUnitCount == progress.totalUnitCount)
            let description = try #require(progress.localizedAdditionalDescription)
            #expect(description.contains("0:30 of 0:30"), "\(description)")
            // A second analysis would give another object.
            #expect(try await handler.hasSensitiveContent() === response)
            let seen = await updates.value
            #expect(seen == seen.sorted() && seen.last == 1)
        }
    }

    // How soon and how often is measured by IntegrationTests/test-video-progress, where nothing else runs.

    @Test("The analysis of a video reports its progress many times, and never goes back")
    func progressRate() async throws {
        try await Self.withLongVideo { file in
            let handler = Self.analyzer(.thorough).videoAnalysis(forFileAt: file)
            let updates = Task {
                var seen: [Double] = []
                for await update in handler.progressUpdates {
                    seen.append(update.fractionCompleted)
                    if seen.count == 40 { break }
                }
                return seen
            }
            let work = Task { try await handler.hasSensitiveContent() }
            let seen = await updates.value
            work.cancel()
            #expect(seen.count == 40 && seen == seen.sorted() && (seen.last ?? 1) < 0.9)
        }
    }

    @Test("The analysis of a video ends when its progress or its task is cancelled", arguments: [true, false])
    func cancelling(byProgress: Bool) async throws {
        try await Self.withLongVideo { file in
            let handler = Self.analyzer(.thorough).videoAnalysis(forFileAt: file)
            let work = Task { try await handler.hasSensitiveContent() }
            for await update in handler.progressUpdates where update.fractionCompleted > 0.02 { break }
            if byProgress { handler.progress.cancel() } else { work.cancel() }
            await #expect(throws: CancellationError.self) { try await work.value }
            #expect(handler.progress.fractionCompleted < 0.9)
        }
    }

    @Test("The analysis of a video goes on for a second caller that still waits")
    func twoWaiting() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await TestVideo.make(
                file, seconds: 60, brightness: "0.2+0.2*sin(N/9)", ["-c:v", "libx264", "-g", "12"])
            let handler = Self.analyzer().videoAnalysis(forFileAt: file)
            let first = Task { try await handler.hasSensitiveContent() }
            let second = Task { try await handler.hasSensitiveContent() }
            for await _ in handler.progressUpdates { break }
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
            #expect(try await !second.value.isSensitive)
        }
    }

    @Test("A cancelled analysis of a video can be tried again, and reports to another progress object")
    func ownProgress() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.gif")
            try await TestVideo.make(file, seconds: 3, brightness: "0.3*N/30", rate: "10")
            let handler = Self.analyzer().videoAnalysis(forFileAt: file)
            let cancelled = Task { try await handler.hasSensitiveContent() }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            let progress = Progress(totalUnitCount: 1)
            handler.progress = progress
            #expect(try await !handler.hasSensitiveContent().isSensitive)
            #expect(progress.fractionCompleted == 1)
        }
    }

    @Test("The analysis of a video gives the scores over time")
    func timeline() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mkv")
            try await TestVideo.make(file, seconds: 20, brightness: "0.2", ["-c:v", "libx264", "-g", "50"])
            let timeline = try await Self.analyzer().videoAnalysis(forFileAt: file).timeline()
            #expect(timeline.duration == .seconds(20) && timeline.sensitiveSpans.isEmpty)
            #expect(
                timeline.samples.count >= 2 && timeline.samples.map(\.time) == timeline.samples.map(\.time).sorted())
            #expect(!timeline.analysis.isSensitive)
        }
    }

    @Test("The analysis of a video takes local files only, and pictures as well")
    func otherInput() async throws {
        let remote = try #require(URL(string: "https://example.org/a.mp4"))
        await #expect { try await Self.analyzer().videoAnalysis(forFileAt: remote).hasSensitiveContent() } throws: {
            ($0 as? SensitivityAnalysisError)?.code == .invalidArgument
        }
        let picture = TestFiles.fixtures.appendingPathComponent("plain/plain.jpg")
        #expect(try await !Self.analyzer().videoAnalysis(forFileAt: picture).hasSensitiveContent().isSensitive)
        let video = TestFiles.fixtures.appendingPathComponent("several/animated.gif")
        #expect(try await !Self.analyzer().analyzeImage(at: video).isSensitive)
    }
}
