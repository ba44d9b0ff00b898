// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import CompiledModels
import Foundation
import HelperProtocol
import ModelStore
import TestSupport
import Testing

@testable import ModelInference

@Suite("The model in OpenVINO", .enabled(if: Requirements.hasModel, Comment(rawValue: Requirements.modelRemedy)))
struct OpenVINOModelTests {
    private static let state = [UInt8](repeating: 7, count: 32)

    /// Returns a compiled form of the default model.
    private static func compiled() throws -> Data {
        let installed = try LoadedModel.installedModel()
        var source = try LoadedModel.source(of: installed)
        let room = try SealedMemory.room()
        source.room = room
        let loaded = try LoadedModel(source, installed)
        #expect(loaded.model.wasCompiled && loaded.model.compiledByteCount > 1_000_000)
        let copy = try #require(FileCopy(room, maximumByteCount: 1 << 30))
        #expect(unsafe copy.bytes.count == loaded.model.compiledByteCount)
        return unsafe Data(copy.bytes)
    }

    /// Loads the default model with a compiled copy, whose trailer is made for `other` or else for the content.
    private static func load(
        copy content: Data, trailerOf other: Data? = nil, state: [UInt8] = state
    ) throws -> LoadedModel {
        let trailer = try (other ?? content).withUnsafeBytes {
            try unsafe CompiledCopyTrailer.bytes(behind: $0, state: Self.state)
        }
        let installed = try LoadedModel.installedModel()
        var source = try LoadedModel.source(of: installed)
        let memory = try SealedMemory.copying(content + trailer)
        source.compiledCopy = (memory.descriptor, state)
        return try LoadedModel(source, installed)
    }

    private static let picture = Result {
        try PreprocessorTests.image(width: 300, height: 200) { x, y in
            [UInt8(x % 256), UInt8(y), UInt8((x * y) % 256)]
        }
    }

    @Test("The score is the same when compiled, from a copy, and in place of a damaged or foreign copy")
    func copies() throws {
        let picture = try Self.picture.get()
        let compiled = try Self.compiled()
        let score = try LoadedModel().score(picture)
        let loaded = try Self.load(copy: compiled)
        #expect(!loaded.model.wasCompiled)
        #expect(try loaded.score(picture) == score)
        // One byte differs, so the digest of the content does not match.
        var damaged = compiled
        damaged[damaged.count / 2] ^= 1
        for other in [
            try Self.load(copy: damaged, trailerOf: compiled),
            try Self.load(copy: compiled, state: [UInt8](repeating: 8, count: 32)),
        ] {
            #expect(other.model.wasCompiled)
            #expect(try other.score(picture) == score)
        }
    }

    @Test("A model with one changed byte, or of another length, is refused")
    func changedModel() throws {
        let installed = try LoadedModel.installedModel()
        let original = try Data(contentsOf: URL(fileURLWithPath: installed.modelPath))
        var changed = original
        changed[1_000_000] ^= 1
        for model in [changed, original + [0], original.dropLast()] {
            var source = try LoadedModel.source(of: installed)
            source.model = try SealedMemory.copying(model).descriptor
            #expect { try LoadedModel(source, installed) } throws: {
                ($0 as? ModelFailure)?.reason == .unusable && "\($0)".contains("SHA-256 differ")
            }
        }
    }

    @Test("A folder of OpenVINO with one changed byte, name or file is refused")
    func changedLibrary() async throws {
        try await TestFiles.withFolder { folder in
            let installed = try LoadedModel.installedModel()
            var source = try LoadedModel.source(of: installed)
            let files = FileManager.default
            for name in try files.contentsOfDirectory(atPath: source.libraryFolder) where name != "licences" {
                try files.copyItem(atPath: "\(source.libraryFolder)/\(name)", toPath: "\(folder.path)/\(name)")
            }
            source.libraryFolder = folder.path
            func refusal(_ words: String, after change: () throws -> Void, undo: () throws -> Void) throws {
                try change()
                #expect { try OpenVINOFiles.ofThisProcessor.checkAll(in: folder.path) } throws: {
                    ($0 as? ModelFailure)?.reason == .unusable && "\($0)".contains(words)
                }
                try undo()
            }
            try OpenVINOFiles.ofThisProcessor.checkAll(in: folder.path)
            for name in ["libopenvino_auto_batch_plugin.so", "glibc-hwcaps", "libtcm.so.1"] {
                let path = "\(folder.path)/\(name)"
                try refusal(name) {
                    try Data([1]).write(to: URL(fileURLWithPath: path))
                } undo: {
                    try files.removeItem(atPath: path)
                }
            }
            let library = folder.appendingPathComponent("libtbb.so.12")
            try refusal("libtbb.so.12 is missing") {
                try files.moveItem(at: library, to: folder.appendingPathComponent("licences"))
            } undo: {
                try files.moveItem(at: folder.appendingPathComponent("licences"), to: library)
            }
            let bytes = try Data(contentsOf: library)
            var changed = bytes
            changed[bytes.count / 2] ^= 1
            try refusal("SHA-256 differs") {
                try changed.write(to: library)
            } undo: {
                try bytes.write(to: library)
            }
        }
    }

    @Test("The known answers are given, and others with a wrong filter, channel order, mean or crop")
    func knownAnswers() throws {
        let installed = try LoadedModel.installedModel()
        let known = try #require(installed.manifest.knownAnswers)
        let loaded = try LoadedModel()
        let drawings = try loaded.drawings()
        #expect(known.agree(with: drawings), "\(drawings)")
        // A score near 0.5 is the most sensitive to changes.
        #expect((0.3...0.7).contains(known.scores[0][0]))
        let changes: [(String, (inout ModelInput) -> Void)] = [
            ("bicubic", { $0.resize.filter = .bicubic }), ("channels", { $0.channelOrder = .rgb }),
            ("mean", { $0.mean = [0, 0, 0] }), ("scale", { $0.scale = [0, 0, 0] }),
            ("crop", { ($0.resize.width, $0.resize.height) = (224, 224) }),
        ]
        for (name, change) in changes {
            var input = installed.manifest.input
            change(&input)
            let wrong = try LoadedModel(try LoadedModel.source(of: installed), installed, input: input)
            let drawings = try wrong.drawings()
            #expect(!known.agree(with: drawings), "\(name): \(drawings)")
        }
    }

    @Test("The nearest pixels instead of their means give other answers")
    func nearestPixels() throws {
        let installed = try LoadedModel.installedModel()
        let known = try #require(installed.manifest.knownAnswers)
        let loaded = try LoadedModel()
        let scores = try KnownDrawing.all.map { drawing in
            let pixels = drawing.pixels
            let nearest = try PreprocessorTests.image(width: 256, height: 256) { x, y in
                let place =
                    ((y * 2 + 1) * KnownDrawing.height / 512 * KnownDrawing.width
                        + (x * 2 + 1) * KnownDrawing.width / 512) * 3
                return Array(pixels[place..<(place + 3)])
            }
            return [try loaded.score(nearest)]
        }
        #expect(!known.agree(with: scores), "\(scores)")
        #expect(!known.agree(with: [[0], [0]]) && !known.agree(with: [[.nan], [.nan]]))
    }
}

@Suite("The schedule of checks")
struct CheckScheduleTests {
    @Test("A check is due after 1,000 pictures or ten minutes, whichever comes first")
    func due() {
        let start = ContinuousClock.now
        var schedule = CheckSchedule(checkedAt: start)
        for _ in 0..<999 { schedule.notePicture() }
        #expect(!schedule.isDue(at: start + .seconds(599)))
        #expect(schedule.isDue(at: start + .seconds(600)))
        schedule.notePicture()
        #expect(schedule.isDue(at: start))
        schedule.noteCheck(at: start + .seconds(5))
        #expect(!schedule.isDue(at: start + .seconds(604)))
        #expect(schedule.isDue(at: start + .seconds(605)))
    }
}
