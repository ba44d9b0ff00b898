// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("The samples of a file's first picture", .enabled(if: TestVideo.canBeMade, "\(TestVideo.remedy)"))
struct SamplesTests {
    /// An engine whose model loads only when `mayLoad` is true.
    private static func engine(mayLoad: Shared<Bool>) -> MediaEngine {
        func pool(_ name: String) -> HelperPool {
            HelperPool(
                locator: HelperLocator(name: name, folders: [TestFiles.products.path]), maximumCount: 2,
                settings: HelperSettings(memoryLimit: 1 << 30))
        }
        return MediaEngine(
            loader: ModelLoader {
                ModelLoader.Requirements(minimumWidth: 256, minimumHeight: 256)
            } load: {
                while !mayLoad.value { try await Task.sleep(for: .seconds(0.01)) }
                return ScriptedModel(score: { _ in 0 })
            },
            pool: pool(HelperKind.imageDecoder.executableName),
            sequencePool: pool(HelperKind.imageDecoder.executableName),
            videoPool: pool(HelperKind.videoDecoder.executableName),
            playbackPool: pool(HelperKind.imageDecoder.executableName),
            videoPlaybackPool: pool(HelperKind.videoDecoder.executableName),
            encoderPool: pool(HelperKind.mediaEncoder.executableName), concurrency: 2)
    }

    @Test("Samples of a first picture need no model, and are waited for no longer than a picture")
    func deadline() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.mp4")
            try await TestVideo.make(file, seconds: 2, brightness: "0.5", ["-c:v", "libx264"])
            let mayLoad = Shared(false)
            let engine = Self.engine(mayLoad: mayLoad)
            func samples(_ patience: Duration) async throws -> PixelSamples {
                var limits = AnalysisLimits()
                limits.maximumDecodingTime = patience
                return try await engine.samples(.cover, limits: limits) { .file(path: file.path) }
            }
            #expect(try await samples(.seconds(30)).width == 9)
            // These videos take all places of the queue, and all wait for the model.
            let begun = Shared(0)
            let analyses = (0..<8).map { _ in
                Task {
                    try await engine.analyzeMedia(AnalysisRequest(policy: .simple), isLikelyVideo: true) {
                        begun.change { $0 += 1 }
                        return .file(path: file.path)
                    }
                }
            }
            while begun.value < 2 { try await Task.sleep(for: .milliseconds(5)) }
            let failure = await #expect(throws: AnalysisFailure.self) { try await samples(.seconds(1)) }
            #expect(failure?.code == .timedOut)
            mayLoad.change { $0 = true }
            for analysis in analyses { #expect(try await !analysis.value.get().isSensitive) }
        }
    }
}
