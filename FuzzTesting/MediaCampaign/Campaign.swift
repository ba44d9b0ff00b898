// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost

/// A campaign: so many mutants, each of which is judged once.
struct Campaign: Sendable {
    private let options: CampaignOptions
    private let seeds: [Seed]

    struct Seed: Sendable {
        let name: String
        let bytes: [UInt8]
    }

    struct Mutant {
        let seed: Seed
        let bytes: Data
    }

    init(_ options: CampaignOptions) throws {
        self.options = options
        let folder = URL(fileURLWithPath: options.seeds)
        seeds = try FileManager.default.contentsOfDirectory(atPath: options.seeds).sorted().map {
            Seed(name: $0, bytes: Array(try Data(contentsOf: folder.appendingPathComponent($0))))
        }
        guard seeds.count > 1 else { throw CampaignError.noSeeds }
    }

    /// The mutant of a number, the same in every run.
    func mutant(_ index: Int) -> Mutant {
        let seed = seeds[index % seeds.count]
        var mutator = Mutator(number: options.seed &* 0x1_0000_0000 &+ UInt64(index))
        let other = seeds[(index / seeds.count) % seeds.count]
        return Mutant(seed: seed, bytes: Data(mutator.mutated(seed.bytes, other: other.bytes)))
    }

    func run() async throws {
        let engine = Self.engine()
        let log = try CampaignLog(folder: options.results, count: options.count, seed: options.seed)
        let start = log.doneCount
        print("\(options.count) mutants of \(seeds.count) seeds; \(start) are done")
        try await withThrowingTaskGroup(of: CampaignLog.Entry.self) { group in
            var next = start
            func add() {
                guard next < options.count else { return }
                let index = next
                next += 1
                group.addTask { await judged(index, engine) }
            }
            for _ in 0..<Self.windowCount { add() }
            while let entry = try await group.next() {
                try log.add(entry, mutant: { mutant(entry.index).bytes })
                add()
            }
        }
        try log.finish()
    }

    private func judged(_ index: Int, _ engine: MediaEngine) async -> CampaignLog.Entry {
        let mutant = mutant(index)
        let record = MutantRecord()
        let judged = await MutantRecord.$current.withValue(record) {
            await self.outcome(of: mutant.bytes, engine, record)
        }
        return CampaignLog.Entry(
            index: index, seed: mutant.seed.name, outcome: judged, milliseconds: record.longestMilliseconds(),
            faults: record.faults)
    }

    private func outcome(of bytes: Data, _ engine: MediaEngine, _ record: MutantRecord) async -> String {
        do {
            let request = AnalysisRequest(
                policy: .simple, limits: Self.limits, findsTestPatterns: true,
                options: MediaOptions(preset: .thorough))
            let analysis = try await engine.analyzeMedia(request) {
                record.noteStart()
                return .memory(try .copying(bytes.isEmpty ? Data([0]) : bytes))
            }.get()
            return analysis.isSensitive ? "sensitive" : "notSensitive"
        } catch let failure as AnalysisFailure {
            return "\(failure.code)"
        } catch {
            return "\(error)"
        }
    }

    private static func engine() -> MediaEngine {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        func pool(_ name: String) -> HelperPool {
            HelperPool(
                locator: HelperLocator(name: name, folders: [folder.path]), maximumCount: 2,
                settings: HelperSettings(memoryLimit: 512 << 20, requiresSandbox: true)
            ) { MutantRecord.current?.note($0) }
        }
        return MediaEngine(
            loader: ModelLoader {
                ModelLoader.Requirements(minimumWidth: 256, minimumHeight: 256)
            } load: {
                IndifferentModel()
            },
            pool: pool(HelperKind.imageDecoder.executableName),
            sequencePool: pool(HelperKind.imageDecoder.executableName),
            videoPool: pool(HelperKind.videoDecoder.executableName), concurrency: 2)
    }

    static let limits = AnalysisLimits {
        $0.maximumDecodingTime = .seconds(3)
        $0.maximumMediaDecodingTime = .seconds(10)
    }
    /// More than there are decoders, so that none waits for the next mutant.
    private static let windowCount = 6
}

enum CampaignError: Error {
    case noSeeds
    case otherCampaign
}
