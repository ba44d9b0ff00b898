// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import TestSupport
import Testing

@testable import ModelInference

@Suite("The model in OpenVINO", .enabled(if: Requirements.hasModel, Comment(rawValue: Requirements.modelRemedy)))
struct OpenVINOModelTests {
    private static func load(cacheFolder: String?, threads: Int = 1) throws -> OpenVINOModel {
        let paths = InstallationPaths.ofThisProcess()
        return try OpenVINOModel(
            ModelStore(folders: paths.models).model(named: "open-nsfw"), libraryFolders: paths.inferenceLibraries,
            cacheFolder: cacheFolder, threads: threads)
    }

    private static let picture = Result {
        try PreprocessorTests.image(width: 300, height: 200) { x, y in
            [UInt8(x % 256), UInt8(y), UInt8((x * y) % 256)]
        }
    }

    private static func score(_ model: OpenVINOModel) async throws -> Float {
        try await model.scores(of: [picture.get()])[0][0].value
    }

    @Test("gives the same score compiled, from the cache, and in place of a damaged cache")
    func cache() async throws {
        try await TestFiles.withFolder { folder in
            let compiled = try await Self.score(Self.load(cacheFolder: nil))
            _ = try Self.load(cacheFolder: folder.path)
            let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            let files = (all?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent == "model.blob" }
            let file = try #require(files.first)
            #expect(try await Self.score(Self.load(cacheFolder: folder.path)) == compiled)
            var damaged = try Data(contentsOf: file)
            damaged[damaged.count / 2] ^= 0xFF
            try damaged.write(to: file)
            #expect(try await Self.score(Self.load(cacheFolder: folder.path)) == compiled)
            // It was replaced and not only passed over.
            #expect(try Data(contentsOf: file) != damaged)
            let model = try Self.load(cacheFolder: folder.path)
            #expect(model.isKept())
            #expect(try await Self.score(model) == compiled)
        }
    }

    @Test("refuses a model that was changed, or is missing, also when its compiled form is in the cache")
    func changedModel() async throws {
        try await TestFiles.withFolder { folder in
            let paths = InstallationPaths.ofThisProcess()
            let installed = try ModelStore(folders: paths.models).model(named: "open-nsfw")
            let models = folder.appendingPathComponent("models")
            let copy = models.appendingPathComponent("open-nsfw")
            try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
            // Not copyItem, which would have the copies belong to who owns the originals.
            for name in try FileManager.default.contentsOfDirectory(atPath: installed.folder) {
                let original = URL(fileURLWithPath: installed.folder).appendingPathComponent(name)
                try Data(contentsOf: original).write(to: copy.appendingPathComponent(name))
            }
            func load() throws -> OpenVINOModel {
                try OpenVINOModel(
                    ModelStore(folders: [models.path]).model(named: "open-nsfw"),
                    libraryFolders: paths.inferenceLibraries, cacheFolder: folder.path, threads: 1)
            }
            _ = try load()
            let file = copy.appendingPathComponent("model.onnx")
            let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
            let handle = try FileHandle(forUpdating: file)
            try handle.seek(toOffset: 1_000_000)
            let byte = try #require(try handle.read(upToCount: 1)?.first)
            try handle.seek(toOffset: 1_000_000)
            try handle.write(contentsOf: Data([byte ^ 1]))
            try handle.close()
            // As somebody would who wants it not to be noticed.
            try FileManager.default.setAttributes([.modificationDate: try #require(date)], ofItemAtPath: file.path)
            #expect { try load() } throws: { ($0 as? AnalysisFailure)?.code == .modelUnavailable }
            try FileManager.default.removeItem(at: file)
            #expect { try load() } throws: { ($0 as? AnalysisFailure)?.code == .modelUnavailable }
        }
    }

    @Test("uses further threads once pictures wait, with the same scores")
    func growth() async throws {
        let model = try Self.load(cacheFolder: nil, threads: 3)
        let expected = try await Self.score(model)
        #expect(model.queue.workerCount == 1)
        let deadline = ContinuousClock.now + .seconds(60)
        while model.queue.workerCount < 3 && ContinuousClock.now < deadline {
            try await withThrowingTaskGroup(of: Float.self) { group in
                for _ in 0..<60 { group.addTask { try await Self.score(model) } }
                for try await score in group { #expect(score == expected) }
            }
        }
        #expect(model.queue.workerCount == 3)
    }
}
