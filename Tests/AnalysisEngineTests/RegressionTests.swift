// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Files that were judged wrongly once")
struct RegressionTests {
    static let files: [URL] = {
        let folder = TestFiles.fixtures.appendingPathComponent("regression")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().filter { $0 != "README.md" }.map(folder.appendingPathComponent)
    }()

    /// Returns the outcome in words, with a model that never finds anything sensitive.
    static func outcome(
        of file: URL, policy: AnalysisPolicy = .simple, preset: SamplingPreset = .thorough,
        findsTestPatterns: Bool = true
    ) async throws -> String {
        do {
            let request = AnalysisRequest(
                policy: policy, limits: AnalysisLimits { $0.maximumDecodingTime = .seconds(60) },
                findsTestPatterns: findsTestPatterns, options: MediaOptions(preset: preset))
            let analysis = try await AnalysisEngineTests.engine { _ in 0 }
                .analyzeMedia(request) { .file(path: file.path) }.get()
            return analysis.isSensitive ? "sensitive" : "notSensitive"
        } catch let failure as AnalysisFailure {
            return failure.code.rawValue
        }
    }

    @Test("Each file that was once judged wrongly has in test mode the verdict in its name", arguments: files)
    func outcome(file: URL) async throws {
        let outcome = try await Self.outcome(of: file, findsTestPatterns: true)
        #expect(file.lastPathComponent.hasPrefix("\(outcome)-"), "it was \(outcome)")
    }

    @Test(
        "Sensitive files that were once judged wrongly are sensitive with the default preset, too",
        arguments: files.filter { $0.lastPathComponent.hasPrefix("sensitive-") })
    func balanced(file: URL) async throws {
        #expect(try await Self.outcome(of: file, preset: .balanced, findsTestPatterns: true) == "sensitive")
    }

    @Test(
        "Files with damaged pictures and without a finding are unknown",
        arguments: files.filter { file in
            ["jpg", "gif", "tiff", "avi", "ts"].contains(file.pathExtension) && !file.path.contains("rows")
                && !file.lastPathComponent.hasPrefix("ambiguousMedia-")
        })
    func damaged(file: URL) async throws {
        #expect(try await Self.outcome(of: file, findsTestPatterns: false) == "malformedMedia")
    }

    @Test
    func `A sensitive picture of a format for animations is told as a picture where it is the only one`() async throws {
        for (name, kind) in [
            ("still.gif", AnalyzedMediaKind.image), ("animated.gif", .animation), ("pages.tiff", .pages),
        ] {
            let file = TestFiles.fixtures.appendingPathComponent("several/\(name)").path
            let analysis = try await AnalysisEngineTests.engine { _ in 1 }
                .analyzeMedia(AnalysisRequest(policy: .simple)) { .file(path: file) }.get()
            #expect(analysis.isSensitive && analysis.kind == kind, "\(name)")
        }
    }

    @Test func `The damage of a file does not count for an animation that the same decoder reads next`() async throws {
        let fixtures = TestFiles.fixtures
        let decoder = HelperKind.imageDecoder.executableName
        let engine = AnalysisEngineTests.engine(decoder: decoder, decoderCount: 1) { _ in 0 }
        let request = AnalysisRequest(policy: .simple)
        // libjpeg tells of bytes that belong to no segment, though every program passes over them.
        var bytes = try Data(contentsOf: fixtures.appendingPathComponent("plain/plain.jpg"))
        let tables = try #require(bytes.range(of: Data([0xFF, 0xDB])))
        bytes.insert(contentsOf: [0x11, 0x22, 0x33], at: tables.lowerBound)
        try await TestFiles.withFolder { [bytes] folder in
            let untidy = folder.appendingPathComponent("untidy.jpg")
            try bytes.write(to: untidy)
            for name in ["animated.webp", "animated.gif"] {
                #expect(try await !engine.analyzeMedia(request) { .file(path: untidy.path) }.get().isSensitive)
                let whole = fixtures.appendingPathComponent("several/\(name)").path
                #expect(try await !engine.analyzeMedia(request) { .file(path: whole) }.get().isSensitive, "\(name)")
            }
        }
    }

    @Test("All files that were once judged wrongly are present")
    func count() {
        #expect(Self.files.count >= 15)
    }
}
