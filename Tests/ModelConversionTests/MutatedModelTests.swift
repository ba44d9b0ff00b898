// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import FileAccess
import Foundation
import HelperHost
import HelperProtocol
import ModelFormats
import SwiftProtobuf
import TestSupport
import Testing

/// Model files with random damage, which the process for such files reads.
struct MutatedModelTests {
    /// Returns a copy of a file in which bytes are changed, left out, repeated or exchanged.
    static func mutated(_ original: [UInt8], seed: UInt64) -> [UInt8] {
        Damage.damaged(original, seed: seed, changes: 1...4, longest: 40, fewest: 8)
    }

    /// Models with many kinds of layers.
    static func sources() throws -> [[UInt8]] {
        var models = [TestModels.classifier()]
        models += RefusalTests.impossible.map(\.1)
        models.append(
            .with {
                $0.specificationVersion = 1
                $0.description_p = TestModels.description()
                $0.pipelineClassifier.pipeline.models = [TestModels.classifier()]
            })
        for change in TestModels.layers { models.append(TestModels.network([4, 6, 6], change)) }
        models.append(TestPrograms.classifier())
        models += TestPrograms.operations.map(TestPrograms.program)
        return try models.map { try TestModels.bytes($0) }
    }

    @Test(
        "Damaged models are refused in one sentence with a remedy, or converted, and no process ends",
        .timeLimit(.minutes(30)))
    func damaged() async throws {
        let sources = try Self.sources()
        let count = Campaign.isRunning ? 50_000 : 2000
        let importer = ModelImporter(folders: [TestFiles.products.path])
        let (converted, refused) = (Shared(0), Shared(0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<2 {
                group.addTask {
                    // The importer blocks, so it has a thread of its own.
                    try await Self.onThread {
                        for seed in stride(from: worker, to: count, by: 2) {
                            let bytes = Self.mutated(sources[seed % sources.count], seed: UInt64(seed))
                            let file = try SealedMemory.copying(bytes)
                            let weights = TestPrograms.weights
                            let constants = try SealedMemory.copying(
                                seed % 3 == 0 ? Self.mutated(weights, seed: UInt64(seed)) : weights)
                            do {
                                let result = try importer.read(file.descriptor, weights: constants.descriptor)
                                let parts = result.contents.description.unsupportedParts
                                (parts.isEmpty ? converted : refused).change { $0 += 1 }
                                for part in parts where !Self.isRefusal(part) {
                                    throw Unexpected(seed: seed, message: part)
                                }
                            } catch let failure as AnalysisFailure {
                                refused.change { $0 += 1 }
                                guard failure.code == .modelUnavailable, Self.isRefusal(failure.message) else {
                                    throw Unexpected(seed: seed, message: failure.message)
                                }
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(converted.value > 0 && refused.value > 0, "\(converted.value), \(refused.value)")
    }

    /// Runs a function that blocks on a thread of its own.
    private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
        }
    }

    /// Whether a message is one sentence with a reason and a remedy.
    private static func isRefusal(_ message: String) -> Bool {
        message.contains("; ") && message.hasSuffix(".") && !message.dropLast().contains(". ")
    }

    private struct Unexpected: Error {
        let seed: Int
        let message: String
    }
}
