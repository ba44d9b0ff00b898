// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// No @testable here: this is what an app sees.
import Foundation
import TestSupport
import Testing

#if canImport(SensitiveContentAnalysis)
import SensitiveContentAnalysis

@Suite(
    "Requests for labels", .enabled(if: Requirements.hasModel, Comment(rawValue: Requirements.modelRemedy)),
    .enabled("\(Requirements.childAccountReason)") { await Requirements.isNoChildAccount })
struct ClassificationTests {
    init() throws {
        try MachinePolicy.ignore()
    }

    @Test("A file, its data and its pixels have the same labels, and the score of the analyzer")
    func inputs() async throws {
        let request = ClassificationRequest()
        let file = TestFiles.fixtures.appendingPathComponent("orientation/upright.png")
        let observations = try await request.perform(on: file)
        #expect(observations.map(\.identifier) == ["sexuallyExplicit"])
        #expect(try await request.perform(on: try Data(contentsOf: file)) == observations)
        let analyzer = SCSensitivityAnalyzer(configuration: .init(demandedPolicy: .simpleInterventions))
        let score = try await analyzer.analyzeImage(at: file).score
        #expect(observations.first?.confidence == score)
        let image = try CGImage(
            width: 64, height: 64, pixelFormat: .rgb24, pixels: Data(repeating: 200, count: 64 * 64 * 3))
        let scoreOfPixels = try await analyzer.analyzeImage(image).score
        #expect(try await request.perform(on: image).map(\.confidence) == [scoreOfPixels])
    }

    @Test("A request throws for a missing model, a remote file, a text and a small limit")
    func failures() async throws {
        let pictures = TestFiles.fixtures.appendingPathComponent("plain/plain.jpg")
        let cases: [(SensitivityAnalysisError.Code, () async throws -> [ClassificationObservation])] = [
            (.modelUnavailable, { try await ClassificationRequest(modelName: "no-such-model").perform(on: pictures) }),
            (
                .invalidArgument,
                {
                    try await ClassificationRequest().perform(
                        on: try #require(URL(string: "https://example.org/a.jpg")))
                }
            ),
            (.unsupportedMedia, { try await ClassificationRequest().perform(on: Data("no picture".utf8)) }),
            (
                .limitExceeded,
                {
                    var limits = SCSensitivityAnalyzer.Limits()
                    limits.maximumEdge = 10
                    return try await ClassificationRequest(limits: limits).perform(on: pictures)
                }
            ),
        ]
        for (code, classify) in cases {
            await #expect {
                try await classify()
            } throws: {
                ($0 as? SensitivityAnalysisError)?.code == code
            }
        }
    }
}
#endif
