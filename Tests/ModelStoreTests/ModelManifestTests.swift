// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import ModelStore
import TestSupport
import Testing

@Suite("A model's manifest")
struct ModelManifestTests {
    static let installed = TestFiles.packageFolder.appendingPathComponent("Resources/models/open-nsfw/manifest.json")

    static func manifest() throws -> ModelManifest {
        try JSONDecoder().decode(ModelManifest.self, from: Data(contentsOf: installed))
    }

    @Test("The manifest of the default model is valid, and carries the documented thresholds")
    func standard() throws {
        let manifest = try Self.manifest()
        try manifest.validate()
        #expect(manifest.name == InstalledModels.defaultModelName)
        #expect(manifest.outputs.map(\.thresholds) == [Thresholds(simple: 0.7, descriptive: 0.4, strong: 0.9)])
        #expect(manifest.sha256 == "864bb37bf8863564b87eb330ab8c785a79a773f4e7c43cb96db52ed8611305fa")
    }

    @Test("A manifest with an impossible or forbidden entry is refused, and the entry is named")
    func invalid() throws {
        let changes: [(String, (inout ModelManifest) -> Void)] = [
            ("schema", { $0.schema = 2 }), ("name", { $0.name = "../x" }), ("name", { $0.name = "" }),
            ("file", { $0.file = "../../etc/passwd" }), ("file", { $0.file = ".hidden" }),
            ("sha256", { $0.sha256 = "864B" }), ("byteCount", { $0.byteCount = 0 }),
            ("input.width", { $0.input.width = 0 }), ("input.height", { $0.input.height = 1 << 40 }),
            ("input.resize", { $0.input.resize.width = 100 }), ("input.mean", { $0.input.mean = [1, 2] }),
            ("input.mean", { $0.input.scale[0] = .infinity }), ("outputs", { $0.outputs = [] }),
            ("column", { $0.outputs[0].column = -1 }),
            ("thresholds", { $0.outputs[0].thresholds.descriptive = 0.95 }),
            ("knownAnswers.scores", { $0.knownAnswers = KnownAnswers(scores: [[0.5]]) }),
            ("knownAnswers.scores", { $0.knownAnswers = KnownAnswers(scores: [[0.5], [.nan]]) }),
            ("knownAnswers.tolerance", { $0.knownAnswers?.tolerance = 0.5 }),
        ]
        for (entry, change) in changes {
            var manifest = try Self.manifest()
            change(&manifest)
            #expect { try manifest.validate() } throws: { error in
                let failure = error as? AnalysisFailure
                return failure?.code == .modelUnavailable && failure?.message.contains(entry) == true
            }
        }
    }
}

@Suite("The model store")
struct ModelStoreTests {
    /// Makes a model folder whose file is the given bytes, and whose manifest describes other ones if wanted.
    static func makeModel(in folder: URL, name: String = "test-model", bytes: Data, describing: Data? = nil) throws {
        var manifest = try ModelManifestTests.manifest()
        manifest.name = name
        manifest.byteCount = (describing ?? bytes).count
        manifest.sha256 = sha256(describing ?? bytes)
        manifest.knownAnswers = nil
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try JSONEncoder().encode(manifest).write(to: folder.appendingPathComponent("manifest.json"))
        try bytes.write(to: folder.appendingPathComponent(manifest.file))
    }

    /// The hash by the system's own program, so that the test does not share the code that it tests.
    static func sha256(_ data: Data) -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try? process.run()
        try? input.fileHandleForWriting.write(contentsOf: data)
        try? input.fileHandleForWriting.close()
        let text = (try? output.fileHandleForReading.readToEnd()).map { String(decoding: $0, as: UTF8.self) } ?? ""
        process.waitUntilExit()
        return String(text.prefix(64))
    }

    @Test("The model store finds a model, and refuses it if one bit differs")
    func verification() async throws {
        try await TestFiles.withFolder { folder in
            let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            var changed = bytes
            changed[1_234_567] ^= 1
            try Self.makeModel(in: folder.appendingPathComponent("test-model"), bytes: bytes)
            try Self.makeModel(
                in: folder.appendingPathComponent("changed"), name: "changed", bytes: changed, describing: bytes)
            try Self.makeModel(
                in: folder.appendingPathComponent("longer"), name: "longer", bytes: bytes + [0], describing: bytes)
            let store = InstalledModels(folders: [TestFiles.missing, folder.path])
            try store.model(named: "test-model").verify()
            for name in ["changed", "longer"] {
                let model = try store.model(named: name)
                #expect { try model.verify() } throws: { ($0 as? AnalysisFailure)?.code == .modelUnavailable }
            }
            #expect(store.models().map(\.name) == ["changed", "longer", "test-model"])
        }
    }

    @Test
    func `The model store refuses a manifest with an unknown content type, and names the known ones`() async throws {
        try await TestFiles.withFolder { folder in
            try Self.makeModel(in: folder.appendingPathComponent("test-model"), bytes: Data([1]))
            let file = folder.appendingPathComponent("test-model/manifest.json")
            let text = try String(contentsOf: file, encoding: .utf8)
            try text.replacing("sexuallyExplicit", with: "other").write(to: file, atomically: true, encoding: .utf8)
            #expect {
                try InstalledModels(folders: [TestFiles.missing, folder.path]).model(named: "test-model")
            } throws: { error in
                let failure = error as? AnalysisFailure
                return failure?.code == .modelUnavailable
                    && failure?.message.contains("contentType must be one of sexuallyExplicit") == true
            }
        }
    }

    @Test("The model store refuses names that lead elsewhere", arguments: ["../test-model", "", "a/b", "A", "a.b"])
    func names(name: String) {
        #expect { try InstalledModels(folders: [TestFiles.missing]).model(named: name) } throws: {
            ($0 as? AnalysisFailure)?.code == .invalidArgument
        }
    }

    @Test("The model store adds a sound model once, and nothing of a damaged model")
    func adding() async throws {
        try await TestFiles.withFolder { folder in
            let target = folder.appendingPathComponent("models").path
            let sound = folder.appendingPathComponent("sound")
            let broken = folder.appendingPathComponent("broken")
            try Self.makeModel(in: sound, bytes: Data([1, 2, 3]))
            try Self.makeModel(in: broken, name: "broken", bytes: Data([1, 2, 3]), describing: Data([1, 2, 4]))
            func add(_ source: URL) throws -> InstalledModel {
                try InstalledModels.add(folder: source.path, to: target) { _ in
                    KnownAnswers(scores: [[0.5], [0.25]])
                }
            }
            #expect(try add(sound).manifest.name == "test-model")
            #expect { try add(sound) } throws: {
                ($0 as? AnalysisFailure)?.code == .invalidArgument
            }
            #expect(throws: AnalysisFailure.self) { try add(broken) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: target) == ["test-model"])
        }
    }

    @Test func `answers that the model does not give are found anew, and others stay as they are written`() async throws
    {
        try await TestFiles.withFolder { folder in
            let source = folder.appendingPathComponent("model")
            try Self.makeModel(in: source, bytes: Data([1, 2, 3]))
            let file = source.appendingPathComponent("manifest.json")
            var manifest = try InstalledModel(folder: source.path).manifest
            let written = KnownAnswers(scores: [[0.5], [0.25]])
            manifest.knownAnswers = written
            try JSONEncoder().encode(manifest).write(to: file)
            let answers: [[[Float]]] = [[[0.5004], [0.25]], [[0.75], [0.25]]]
            for (place, found) in answers.enumerated() {
                let target = folder.appendingPathComponent("models-\(place)")
                var runs: [KnownAnswers?] = []
                let added = try InstalledModels.add(folder: source.path, to: target.path) { copy in
                    runs.append(copy.manifest.knownAnswers)
                    return KnownAnswers(scores: found)
                }
                // The process of the model refuses one with answers that it does not give; new answers are tried once.
                #expect(runs == (place == 0 ? [nil] : [nil, KnownAnswers(scores: found)]))
                #expect(added.manifest.knownAnswers?.scores == (place == 0 ? written.scores : found))
                let copy = target.appendingPathComponent("test-model/manifest.json")
                #expect(try (Data(contentsOf: copy) == Data(contentsOf: file)) == (place == 0))
            }
        }
    }

    @Test func `means for levels from 0 to 1, and drawings with the same score, are doubtful`() throws {
        var manifest = try ModelManifestTests.manifest()
        manifest.knownAnswers = KnownAnswers(scores: [[0.5], [0.25]])
        #expect(manifest.doubts.isEmpty)
        let (unit, bytes): ([Float], [Float]) = ([0.485, 0.456, 0.406], [123.675, 116.28, 103.53])
        let deviation: [Float] = [0.229, 0.224, 0.225]
        // Each of the ways in which torchvision's numbers are copied leads to the same right ones.
        let cases: [(mean: [Float], scale: [Float])] = [
            (unit, deviation), (unit, deviation.map { 1 / $0 }), (unit, deviation.map { 1 / (255 * $0) }),
            (bytes, deviation),
        ]
        for (mean, scale) in cases {
            (manifest.input.mean, manifest.input.scale) = (mean, scale)
            let right = "a mean of 123.68, 116.28, 103.53 and a scale of 0.017125, 0.017507, 0.017429."
            #expect(manifest.doubts.count == 1 && manifest.doubts[0].hasSuffix(right), "\(manifest.doubts)")
        }
        (manifest.input.mean, manifest.input.scale) = (bytes, deviation.map { 1 / (255 * $0) })
        #expect(manifest.doubts.isEmpty)
        (manifest.input.mean, manifest.input.scale) = ([-1, -1, -1], [1, 1, 1])
        #expect(manifest.doubts.isEmpty)
        manifest.input.mean = [0, 0, 0]
        manifest.knownAnswers = KnownAnswers(scores: [[1], [1]])
        #expect(manifest.doubts.count == 1 && manifest.doubts[0].contains("the same score 1.0"), "\(manifest.doubts)")
    }

    @Test("Adding a model removes unfinished folders that are older than an hour, and nothing else")
    func abandonedFolders() async throws {
        try await TestFiles.withFolder { folder in
            let target = folder.appendingPathComponent("models")
            let files = FileManager.default
            let old = ".test-model.\(UUID().uuidString)"
            let kept = [".other.\(UUID().uuidString)", ".hidden", ".test-model.no-identifier", "finished"]
            for name in kept + [old] {
                let place = target.appendingPathComponent(name)
                try files.createDirectory(at: place, withIntermediateDirectories: true)
                let age: Double = name == kept[0] ? 3000 : 4000
                try files.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: place.path)
            }
            let sound = folder.appendingPathComponent("sound")
            try Self.makeModel(in: sound, bytes: Data([1, 2, 3]))
            _ = try InstalledModels.add(folder: sound.path, to: target.path) { _ in
                KnownAnswers(scores: [[0.5], [0.25]])
            }
            #expect(Set(try files.contentsOfDirectory(atPath: target.path)) == Set(kept + ["test-model"]))
        }
    }
}
