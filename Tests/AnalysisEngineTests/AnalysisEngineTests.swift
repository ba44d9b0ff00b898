// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import HelperProtocol
import TestSupport
import Testing

/// A model whose scores a test gives by a closure.
struct ScriptedModel: SensitivityModel {
    let name = "scripted"
    let score: @Sendable (PixelImage) throws -> Float

    func scores(of views: [PixelImage], _ options: ScoringOptions) async throws -> ModelScores {
        let values = try views.map(score)
        let highest = values.max() ?? 0
        return ModelScores(
            views: values.map { value in
                [
                    ContentScore(
                        contentType: .sexuallyExplicit, value: value,
                        thresholds: Thresholds(simple: 0.7, descriptive: 0.4, strong: 0.9))
                ]
            },
            labels: options.readsLabels
                ? [
                    LabelScore(label: "NSFW", value: highest, contentType: .sexuallyExplicit),
                    LabelScore(label: "SFW", value: 1 - highest, contentType: nil),
                ] : [])
    }

    func scores(of picture: SealedPicture, _ options: ScoringOptions) async throws -> ModelScores {
        let layout = picture.layout
        let views = unsafe picture.memory.withBytes { unsafe BackgroundComposer.views(of: layout, in: $0) }
        return try await scores(
            of: try views.map { view in
                try PixelImage(
                    width: layout.width, height: layout.height, bytesPerRow: layout.width * 3,
                    storage: ArrayPixelStorage(view))
            }, options)
    }
}

@Suite("The pipeline")
struct AnalysisEngineTests {
    /// Returns an engine with a scripted model; engines share their decoders unless the decoder is named.
    static func engine(
        decoder: String? = nil, decoderCount: Int = 2, score: @escaping @Sendable (PixelImage) throws -> Float
    ) -> MediaEngine {
        MediaEngine(
            loader: ModelLoader {
                ModelLoader.Requirements(minimumWidth: 256, minimumHeight: 256)
            } load: {
                ScriptedModel(score: score)
            },
            pool: decoder.map { makePool($0, decoderCount) } ?? imageDecoders,
            sequencePool: decoder.map { makePool($0, decoderCount) } ?? sequenceDecoders,
            videoPool: videoDecoders, playbackPool: sequenceDecoders, videoPlaybackPool: videoDecoders,
            encoderPool: encoders, concurrency: 2)
    }

    // To start a decoder takes longer than to decode a small file. Four tests run at the same time (scripts/run-tests).
    private static let imageDecoders = makePool(HelperKind.imageDecoder.executableName, 4)
    private static let sequenceDecoders = makePool(HelperKind.imageDecoder.executableName, 4)
    private static let videoDecoders = makePool(HelperKind.videoDecoder.executableName, 4)

    /// The encoders of copies.
    static let encoding = MediaEncodingService(pool: encoders)

    private static let encoders = HelperPool(
        locator: HelperLocator(name: HelperKind.mediaEncoder.executableName, folders: [TestFiles.products.path]),
        maximumCount: 4, settings: HelperSettings(memoryLimit: 1 << 30), kind: .mediaEncoder)

    private static func makePool(_ name: String, _ count: Int) -> HelperPool {
        HelperPool(
            locator: HelperLocator(name: name, folders: [TestFiles.products.path]), maximumCount: count,
            settings: HelperSettings(memoryLimit: 1 << 30))
    }

    static func analyze(
        _ path: String, with engine: MediaEngine, policy: AnalysisPolicy = .simple,
        limits: AnalysisLimits = AnalysisLimits()
    ) async throws -> MediaAnalysis {
        let file = TestFiles.fixtures.appendingPathComponent(path).path
        return try await engine.analyzePictures(AnalysisRequest(policy: policy, limits: limits)) { .file(path: file) }
            .get()
    }

    /// Returns the mean brightness of the middle row of a view, from 0 to 1.
    static func brightness(_ view: PixelImage) -> Float {
        let start = view.offset + view.height / 2 * view.bytesPerRow
        return unsafe view.storage.withBytes { bytes in
            unsafe Float(bytes[start..<(start + view.width * 3)].reduce(0) { $0 + Int($1) })
                / Float(view.width * 3 * 255)
        }
    }

    @Test("The verdict follows from the score of the model, and names the model")
    func verdict() async throws {
        let analysis = try await Self.analyze("plain/plain.jpg", with: Self.engine { _ in 0.8 })
        #expect(analysis.isSensitive && analysis.score == 0.8)
        #expect(analysis.modelName == "scripted" && analysis.policy == .simple)
        let other = try await Self.analyze("plain/plain.jpg", with: Self.engine { _ in 0.5 })
        #expect(!other.isSensitive)
        let child = try await Self.analyze("plain/plain.jpg", with: Self.engine { _ in 0.5 }, policy: .descriptive)
        #expect(child.isSensitive)
    }

    @Test(
        "Content that transparency hides is found",
        arguments: ["alpha/hidden-on-white.png", "alpha/hidden-on-black.png"])
    func transparency(path: String) async throws {
        let views = Shared<[Float]>([])
        _ = try await Self.analyze(
            path,
            with: Self.engine { view in
                let brightness = Self.brightness(view)
                views.change { $0.append(brightness) }
                return 0
            })
        let seen = views.value
        #expect(seen.count == 2)
        #expect(abs((seen.first ?? 0) - (seen.last ?? 0)) > 0.2)
    }

    @Test("A damaged picture is sensitive if content is found in it, and fails otherwise", arguments: [0.9, 0.1])
    func damaged(score: Float) async throws {
        let engine = Self.engine(decoder: "TestDecoder") { _ in score }
        func analyze() async throws -> MediaAnalysis {
            try await engine.analyzePictures(AnalysisRequest(policy: .simple)) {
                .memory(try .copying("damaged".utf8))
            }.get()
        }
        if score > 0.5 {
            #expect(try await analyze().isSensitive)
        } else {
            await #expect {
                try await analyze()
            } throws: { error in
                (error as? AnalysisFailure)?.code == .malformedMedia
            }
        }
    }

    @Test(
        "A film has no verdict where the decoder contradicts itself or shows nothing",
        arguments: ["repetition-first", "nothing-to-show", "many-decoded", "never"])
    func impossibleFilms(words: String) async throws {
        let engine = Self.engine(decoder: "TestDecoder") { _ in 0.1 }
        await #expect(throws: AnalysisFailure.self) {
            try await engine.analyzeMedia(AnalysisRequest(policy: .simple)) { .memory(try .copying(words.utf8)) }
        }
    }

    @Test(arguments: [true, false])
    func `A finding is kept if the time runs out after it, also for a timeline`(keepsTimeline: Bool) async throws {
        let engine = Self.engine(decoder: "TestDecoder") { _ in 1 }
        let request = AnalysisRequest(
            policy: .simple, limits: AnalysisLimits { $0.maximumDecodingTime = .seconds(2) },
            options: MediaOptions(keepsTimeline: keepsTimeline))
        let analysis = try await engine.analyzeMedia(request) { .memory(try .copying("hang-later".utf8)) }.get()
        #expect(analysis.isSensitive)
    }

    @Test("An analysis fails if two decoders hand a file on to each other")
    func circle() async throws {
        let engine = Self.engine(decoder: "TestDecoder") { _ in 0.1 }
        await #expect {
            try await engine.analyzeMedia(AnalysisRequest(policy: .simple)) {
                .memory(try .copying("content pictures".utf8))
            }
        } throws: {
            ($0 as? AnalysisFailure)?.code == .decoderFailed
        }
    }

    @Test("An opaque picture has one view, also when it has an alpha band")
    func opaque() async throws {
        let count = Shared(0)
        _ = try await Self.analyze(
            "alpha/opaque.png",
            with: Self.engine { _ in
                count.change { $0 += 1 }
                return 0
            })
        #expect(count.value == 1)
    }

    @Test("The input is not opened under a disabled policy")
    func disabled() async {
        await #expect {
            try await Self.engine { _ in 0 }.analyzePictures(AnalysisRequest(policy: .disabled)) {
                fatalError("The input was opened.")
            }
        } throws: {
            ($0 as? AnalysisFailure)?.code == .analysisDisabled
        }
    }

    @Test("An error of the model, and an invalid score, reach the caller")
    func modelFailure() async {
        await #expect(throws: AnalysisFailure.self) {
            try await Self.analyze(
                "plain/plain.jpg", with: Self.engine { _ in throw AnalysisFailure(.modelUnavailable, "") })
        }
        await #expect(throws: AnalysisFailure.self) {
            try await Self.analyze("plain/plain.jpg", with: Self.engine { _ in .nan })
        }
    }

    @Test("A model that could not be loaded is loaded again at the next call")
    func loadingAgain() async throws {
        let attempts = Shared(0)
        let loader = ModelLoader {
            ModelLoader.Requirements(minimumWidth: 1, minimumHeight: 1)
        } load: {
            if attempts.change({ $0 += 1 }) == 1 { throw AnalysisFailure(.modelUnavailable, "not yet") }
            return ScriptedModel { _ in 0 }
        }
        await #expect(throws: AnalysisFailure.self) { try await loader.model() }
        #expect(try await loader.model().name == "scripted")
        _ = try await loader.model()
        #expect(attempts.value == 2)
    }

    @Test("A model that was replaced while it was in use is loaded anew")
    func replacedModel() async throws {
        struct ReplacedModel: SensitivityModel {
            let script = ScriptedModel { _ in 0 }
            let name: String
            let replaced: Shared<Bool>
            var isReplaced: Bool { replaced.value }

            func scores(of views: [PixelImage], _ options: ScoringOptions) async throws -> ModelScores {
                try await script.scores(of: views, options)
            }

            func scores(of picture: SealedPicture, _ options: ScoringOptions) async throws -> ModelScores {
                try await script.scores(of: picture, options)
            }
        }
        let loads = Shared(0)
        let replaced = Shared(false)
        let loader = ModelLoader {
            ModelLoader.Requirements(minimumWidth: loads.value + 1, minimumHeight: 1)
        } load: {
            ReplacedModel(name: "\(loads.change { $0 += 1 })", replaced: replaced)
        }
        #expect(try await loader.prepare().minimumWidth == 1)
        let first = try await loader.model().name
        #expect(try await loader.model().name == first)
        replaced.change { $0 = true }
        #expect(try await loader.prepare().minimumWidth == 2)
        #expect(try await loader.model().name != first)
    }

    @Test("A thousand calls at once are served, and the pictures of a few are held at a time")
    func manyCalls() async throws {
        let held = Shared((now: 0, most: 0))
        let engine = Self.engine { _ in 0.1 }
        let pixels = [UInt8](repeating: 100, count: 64 * 64 * 3)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    _ = try await engine.analyzePixels(AnalysisRequest(policy: .simple)) {
                        held.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        return try SealedPicture(
                            layout: try #require(
                                PixelLayout(width: 64, height: 64, bytesPerRow: 192, format: .rgb24)),
                            memory: SealedMemory.copying(pixels))
                    }
                    held.change { $0.now -= 1 }
                }
            }
            try await group.waitForAll()
        }
        // A call still counts while its task waits to continue after the last await, so the count may exceed the limit.
        #expect(held.value.most < 100)
    }
}
