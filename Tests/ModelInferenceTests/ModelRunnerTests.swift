// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import Glibc
import HelperHost
import HelperProtocol
import ModelStore
import TestSupport
import Testing

@Suite("The model's process", .enabled(if: Requirements.hasModel, Comment(rawValue: Requirements.modelRemedy)))
struct ModelRunnerTests {
    private static let limits = ConversationLimits(answer: .seconds(60), total: .seconds(60))

    static func launcher(
        lanes: Int = 1, change: @escaping @Sendable (inout ModelParts) throws -> Void = { _ in }
    ) throws -> ModelLauncher {
        let installed = try LoadedModel.installedModel()
        var paths = InstallationPaths.ofThisProcess()
        paths.cache = TestFiles.cache.path
        let opening = ModelOpening(paths: paths, isExclusive: false)
        return ModelLauncher(
            locator: HelperLocator(
                name: HelperKind.modelRunner.executableName, folders: [TestFiles.products.path]),
            requiresSandbox: false, laneCount: lanes
        ) { laneCount in
            var parts = try opening.parts(of: installed, laneCount: laneCount)
            try change(&parts)
            return parts
        }
    }

    private static func image(_ level: UInt8 = 100, width: Int = 320, height: Int = 200) throws -> PixelImage {
        try PreprocessorTests.image(width: width, height: height) { x, y in
            [level, UInt8((x * 3 + y) % 256), UInt8(y % 256)]
        }
    }

    @Test("The model's process gives the scores of the model in this process, on every lane and for pixels of an app")
    func scores() async throws {
        let pool = HelperPool(try Self.launcher(lanes: 3), maximumCount: 3)
        let service = ModelScoringService(first: pool, full: nil, outputCount: 1)
        let images = try (0..<12).map { try Self.image(UInt8($0 * 20)) }
        let model = try LoadedModel()
        try await withThrowingTaskGroup(of: (Int, [[Float]], [[Float]]).self) { group in
            for (index, image) in images.enumerated() {
                group.addTask {
                    let layout = try #require(
                        PixelLayout(
                            width: image.width, height: image.height, bytesPerRow: image.width * 3, format: .rgb24))
                    let sealed = try SealedPicture(
                        layout: layout, memory: SealedMemory.copying(image.bytes))
                    return (
                        index, try await service.scores(of: [image]).views, try await service.scores(of: sealed).views
                    )
                }
            }
            for try await (index, views, pixels) in group {
                let expected = try model.score(images[index])
                #expect(views == [[expected]] && pixels == [[expected]])
            }
        }
    }

    @Test("A model's process has a session of its own, and no descriptor of the model's files once it is loaded")
    func descriptors() async throws {
        let launcher = try Self.launcher()
        let pool = HelperPool(launcher, maximumCount: 1)
        _ = try await pool.warmUp()
        let process = try #require(launcher.processIdentifier)
        #expect(getsid(process) == process)
        let folder = "/proc/\(process)/fd"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
        // The kernel shows the descriptors of a process that cannot be dumped to root alone.
        #expect(files.allSatisfy { !$0.contains("model.") }, "\(files)")
        withExtendedLifetime(pool) {}
    }

    @Test("The model's process judges an app's transparent pixels over white and over black")
    func transparency() async throws {
        let service = ModelScoringService(
            first: HelperPool(try Self.launcher(), maximumCount: 1), full: nil, outputCount: 1)
        var pixels: [UInt8] = []
        for index in 0..<(64 * 48) { pixels += [UInt8(index % 256), 200, 30, UInt8(index / 12)] }
        let layout = try #require(PixelLayout(width: 64, height: 48, bytesPerRow: 256, format: .rgba32))
        let scores = try await service.scores(
            of: SealedPicture(layout: layout, memory: SealedMemory.copying(pixels))
        ).views
        let model = try LoadedModel()
        let expected = try BackgroundComposer.views(of: pixels, bandCount: 4).map { view in
            [
                try model.score(
                    PixelImage(width: 64, height: 48, bytesPerRow: 192, storage: ArrayPixelStorage(view)))
            ]
        }
        #expect(scores.count == 2 && scores == expected)
    }

    @Test("The model is unavailable if its answers are wrong, it was changed, or a file was added")
    func refusals() async throws {
        let changes: [(String, @Sendable (inout ModelParts) throws -> Void)] = [
            ("other scores", { $0.setup.knownAnswers = KnownAnswers(scores: [[0.1], [0.9]]) }),
            ("other scores", { $0.setup.input.resize.filter = .bicubic }),
            ("other scores", { $0.setup.input.channelOrder = .rgb }),
            (
                "SHA-256 differ",
                {
                    $0.setup.modelDigest[0] ^= 1
                    $0.compiledCopy = nil
                }
            ),
            ("cannot be read", { $0.setup.libraryFolder = TestFiles.missing }),
        ]
        for (words, change) in changes {
            let pool = HelperPool(try Self.launcher(change: change), maximumCount: 1)
            let service = ModelScoringService(first: pool, full: nil, outputCount: 1)
            await #expect {
                try await service.scores(of: [try Self.image()]).views
            } throws: {
                let failure = $0 as? AnalysisFailure
                return failure?.code == .modelUnavailable && failure?.message.contains(words) == true
            }
        }
    }

    @Test("The model's process works on all cores once pictures have waited, with the same scores")
    func growth() async throws {
        let service = ModelScoringService(
            first: HelperPool(try Self.launcher(), maximumCount: 1),
            full: HelperPool(try Self.launcher(lanes: 2), maximumCount: 2), outputCount: 1)
        let image = try Self.image()
        let expected = try await service.scores(of: [image]).views
        #expect(!service.isFull)
        let deadline = ContinuousClock.now + .seconds(120)
        while !service.isFull && ContinuousClock.now < deadline {
            try await withThrowingTaskGroup(of: [[Float]].self) { group in
                for _ in 0..<60 { group.addTask { try await service.scores(of: [image]).views } }
                for try await scores in group { #expect(scores == expected) }
            }
        }
        #expect(service.isFull)
        #expect(try await service.scores(of: [image]).views == expected)
    }

    @Test("A model's process that is killed is started anew, and gets its requests again")
    func killed() async throws {
        let launcher = try Self.launcher(lanes: 2)
        let pool = HelperPool(launcher, maximumCount: 2)
        let service = ModelScoringService(first: pool, full: nil, outputCount: 1)
        let expected = try await service.scores(of: [try Self.image()]).views
        let first = try #require(launcher.processIdentifier)
        kill(first, SIGKILL)
        #expect(try await service.scores(of: [try Self.image()]).views == expected)
        #expect(launcher.processIdentifier != first)
    }
}
