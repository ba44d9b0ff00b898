// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import HelperProtocol
import TestSupport
import Testing

@Suite("The labels of media")
struct LabelTests {
    private static func labels(
        _ path: String, keepsLabels: Bool = true, score: @escaping @Sendable (PixelImage) throws -> Float
    ) async throws -> [LabelScore] {
        let file = TestFiles.fixtures.appendingPathComponent(path).path
        let options = MediaOptions(keepsTimeline: true, keepsLabels: keepsLabels)
        let analysis = try await AnalysisEngineTests.engine(score: score)
            .analyzeMedia(AnalysisRequest(policy: .simple, options: options)) { .file(path: file) }.get()
        #expect(analysis.labels.isEmpty || analysis.labels[0].value == analysis.score)
        return analysis.labels
    }

    @Test(
        "An animation, pages and a picture have the labels of the picture or view with the highest score",
        arguments: [
            "several/animated.gif", "several/animated.webp", "several/pages.tiff", "several/sequence.avif",
            "alpha/hidden-on-white.png",
        ])
    func highest(path: String) async throws {
        let highest = Shared<Float>(0)
        let labels = try await Self.labels(path) { view in
            let brightness = AnalysisEngineTests.brightness(view)
            highest.change { $0 = max($0, brightness) }
            return brightness
        }
        #expect(labels.map(\.label) == ["NSFW", "SFW"] && labels[0].value == highest.value && highest.value > 0)
    }

    @Test("No labels are kept unless they are requested") func notRequested() async throws {
        #expect(try await Self.labels("plain/plain.jpg", keepsLabels: false) { _ in 0.5 }.isEmpty)
    }

    @Test("The labels are sorted by their scores, and equal scores keep the order of the model") func order() {
        let labels = [("a", 0.1), ("b", 0.7), ("c", 0.1), ("d", 0.1)].map {
            LabelScore(label: $0.0, value: Float($0.1), contentType: nil)
        }
        #expect(labels.descending.map(\.label) == ["b", "a", "c", "d"])
    }

    @Test("A kind of content keeps its highest score, although another picture has the highest score of all")
    func kinds() {
        func labels(_ explicit: Float, _ gore: Float) -> [LabelScore] {
            [
                LabelScore(label: "explicit", value: explicit, contentType: .sexuallyExplicit),
                LabelScore(label: "gore", value: gore, contentType: .goreOrViolence),
                LabelScore(label: "other", value: 1 - explicit - gore, contentType: nil),
            ]
        }
        let highest = labels(0.65, 0)
        #expect(highest.raised(by: labels(0.1, 0.6)).map(\.value) == [0.65, 0.6, highest[2].value])
        #expect(highest.raised(by: []) == highest && [LabelScore]().raised(by: highest).isEmpty)
    }

    @Test("A test pattern gives 1 to the labels of its type and 0 to others, and adds a missing label")
    func patterns() {
        let labels = [
            LabelScore(label: "NSFW", value: 0.2, contentType: .sexuallyExplicit),
            LabelScore(label: "SFW", value: 0.8, contentType: nil),
        ]
        #expect(labels.replaced(byTestPatterns: []) == labels)
        #expect(labels.replaced(byTestPatterns: [.sexuallyExplicit]).map(\.value) == [1, 0])
        let gore = labels.replaced(byTestPatterns: [.goreOrViolence])
        #expect(gore.map(\.value) == [0, 0, 1] && gore[2].label == "goreOrViolence")
    }
}
