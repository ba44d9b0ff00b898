// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// No @testable here: this is what an app sees.
import AnalysisCore
import Foundation
import SensitiveContentAnalysis
import TestSupport
import Testing

@Suite("Code written for Apple's framework", .serialized)
struct SeedSnippetTests {
    init() throws {
        try MachinePolicy.ignore()
    }

    let picture = TestFiles.fixtures.appendingPathComponent("plain/plain.jpg")

    func withPolicy<Value>(
        _ policy: SCSensitivityAnalysisPolicy, _ body: () async throws -> Value
    ) async rethrows -> Value {
        SCSensitivityAnalyzer.defaultConfiguration.demandedPolicy = policy
        defer { SCSensitivityAnalyzer.defaultConfiguration = .init() }
        return try await body()
    }

    @Test("Code for Apple's framework finds the analysis disabled unless somebody enabled it")
    func disabled() async throws {
        let analyzer = SCSensitivityAnalyzer()
        let policy = analyzer.analysisPolicy
        #expect(policy == .disabled)
        await #expect { try await analyzer.analyzeImage(at: picture) } throws: {
            ($0 as? SensitivityAnalysisError)?.code == .analysisDisabled
        }
        await #expect { try await analyzer.analyzeImage(data: Data([1])) } throws: {
            ($0 as? SensitivityAnalysisError)?.code == .analysisDisabled
        }
    }

    @Test("Code for Apple's framework learns of a policy that the app demands later", .timeLimit(.minutes(1)))
    func laterDemand() async {
        let analyzer = SCSensitivityAnalyzer()
        var policies: [SCSensitivityAnalysisPolicy] = []
        await withPolicy(.simpleInterventions) {
            for await policy in analyzer.analysisPolicyChanges {
                policies.append(policy)
                if policy == .descriptiveInterventions { break }
                SCSensitivityAnalyzer.defaultConfiguration.demandedPolicy = .descriptiveInterventions
            }
        }
        #expect(policies == [.simpleInterventions, .descriptiveInterventions])
    }

    @Test(
        "Code for Apple's framework judges a file", .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"))
    func file() async throws {
        try await withPolicy(.simpleInterventions) {
            let analyzer = SCSensitivityAnalyzer()
            let policy = analyzer.analysisPolicy
            if policy == .disabled { return }
            let response = try await analyzer.analyzeImage(at: picture)
            #expect(!response.isSensitive)
            #expect(response.detectedTypes.isEmpty)
            #expect(!response.detectedTypes.isSuperset(of: [.sexuallyExplicit, .goreOrViolence]))
            #expect(response.modelName == "open-nsfw" && (0...1).contains(response.score))
            #expect(response.policy == .simpleInterventions)
        }
    }

    @Test(
        "Code for Apple's framework judges through both handlers",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"))
    func handlers() async throws {
        try await withPolicy(.descriptiveInterventions) {
            let analyzer = SCSensitivityAnalyzer()
            let picture = picture
            let fromFile: Bool? = await withCheckedContinuation { continuation in
                analyzer.analyzeImage(at: picture) { results, error in
                    #expect(error == nil)
                    continuation.resume(returning: results?.isSensitive)
                }
            }
            let image = try Self.image(.rgba32)
            let fromImage: Bool? = await withCheckedContinuation { continuation in
                analyzer.analyzeImage(image) { results, error in
                    #expect(error == nil)
                    continuation.resume(returning: results?.isSensitive)
                }
            }
            let failure: (any Error)? = await withCheckedContinuation { continuation in
                analyzer.analyzeImage(at: URL(fileURLWithPath: TestFiles.missing)) { results, error in
                    #expect(results == nil)
                    continuation.resume(returning: error)
                }
            }
            #expect(fromFile == false && fromImage == false)
            #expect((failure as? SensitivityAnalysisError)?.code == .inputUnreadable)
        }
    }

    @Test(
        "Code for Apple's framework gives a file, its data and its pixels the same score",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"))
    func sameScore() async throws {
        let analyzer = SCSensitivityAnalyzer(configuration: .init(demandedPolicy: .simpleInterventions))
        // A bitmap of 24 bits, whose rows can be read here without a decoder.
        let file = TestFiles.fixtures.appendingPathComponent("colour/bmp/topdown.bmp")
        let data = try Data(contentsOf: file)
        let fromFile = try await analyzer.analyzeImage(at: file).score
        let fromData = try await analyzer.analyzeImage(data: data).score
        let (width, height) = (Int(data[18]) + Int(data[19]) << 8, 256 - Int(data[22]))
        let rowBytes = (width * 3 + 3) / 4 * 4
        let pixels = data.dropFirst(Int(data[10]))
        let image = try CGImage(
            width: width, height: height, pixelFormat: .bgr24, bytesPerRow: rowBytes, pixels: pixels)
        let fromPixels = try await analyzer.analyzeImage(image).score
        #expect(fromFile == fromData && fromData == fromPixels)
    }

    @Test(
        "Code for Apple's framework is told to download remote media first",
        arguments: ["https://example.org/a.jpg", "a.jpg", "data:,x"])
    func remote(address: String) async throws {
        try await withPolicy(.simpleInterventions) {
            let url = try #require(URL(string: address))
            await #expect { try await SCSensitivityAnalyzer().analyzeImage(at: url) } throws: { error in
                let error = error as? SensitivityAnalysisError
                return error?.code == .invalidArgument && error?.message.contains("Download") == true
            }
        }
    }

    @Test("Code for Apple's framework can switch over the policy with an unknown default")
    func policySwitch() {
        switch SCSensitivityAnalyzer().analysisPolicy {
        case .disabled: break
        case .simpleInterventions, .descriptiveInterventions: Issue.record("a policy out of nowhere")
        @unknown default: break
        }
        #expect(SCSensitivityAnalysisPolicy(rawValue: 2) == .descriptiveInterventions)
        #expect([SCSensitivityAnalysisPolicy.disabled, .simpleInterventions].map(\.rawValue) == [0, 1])
        #expect(SCSensitivityAnalysisPolicy(rawValue: 7) == nil)
        let types: Set<SCSensitivityAnalysis.ContentType> = [.sexuallyExplicit, .init(rawValue: "other")]
        #expect(!types.contains(.goreOrViolence))
    }

    static func image(_ format: CGImage.PixelFormat) throws -> CGImage {
        try CGImage(
            width: 10, height: 10, pixelFormat: format,
            pixels: Data(repeating: 255, count: 100 * format.bytesPerPixel))
    }

    @Test(
        "Code for Apple's framework can judge pixels in every format",
        .enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"),
        arguments: CGImage.PixelFormat.allCases)
    func formats(format: CGImage.PixelFormat) async throws {
        let analyzer = SCSensitivityAnalyzer(configuration: .init(demandedPolicy: .simpleInterventions))
        #expect(try await !analyzer.analyzeImage(try Self.image(format)).isSensitive)
    }

    @Test(
        "Code for Apple's framework cannot make an image whose pixels are missing",
        arguments: [(0, 1, 3), (1, 0, 3), (-1, 1, 3), (2, 2, 11), (Int.max, Int.max, 100), (Int.max / 3, 4, 100)])
    func badImage(width: Int, height: Int, byteCount: Int) {
        #expect {
            try CGImage(width: width, height: height, pixelFormat: .rgb24, pixels: Data(count: byteCount))
        } throws: {
            ($0 as? SensitivityAnalysisError)?.code == .invalidArgument
        }
    }

    @Test("A description of a result has nothing about the input")
    func privacy() async throws {
        await withPolicy(.simpleInterventions) {
            let url = URL(fileURLWithPath: TestFiles.missing + "/very-private-name.jpg")
            do {
                _ = try await SCSensitivityAnalyzer().analyzeImage(at: url)
                Issue.record("an analysis of nothing")
            } catch {
                #expect(!"\(error) \(error.localizedDescription)".contains("private"))
                #expect(error.localizedDescription.contains("Check the path"))
            }
        }
    }

    @Test("Code for Apple's framework can subclass the analyzer")
    func subclass() async throws {
        final class AlwaysAsked: SCSensitivityAnalyzer, @unchecked Sendable {
            override var analysisPolicy: SCSensitivityAnalysisPolicy { .simpleInterventions }
        }
        #expect(AlwaysAsked().analysisPolicy == .simpleInterventions)
    }
}
