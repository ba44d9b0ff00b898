// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation
package import HelperHost
internal import ModelStore

/// What distinguishes one engine from another; analyzers with the same configuration share one.
package struct EngineConfiguration: Sendable, Hashable {
    package var paths: InstallationPaths
    /// Whether nothing that the account can write may take part.
    package var isExclusive: Bool
    package var modelName: String
    package var decoders: HelperSettings
    /// The number of cores to use.
    package var concurrency: Int

    package init(
        paths: InstallationPaths = .ofThisProcess(), isExclusive: Bool = false, modelName: String? = nil,
        decoders: HelperSettings = HelperSettings(), concurrency: Int? = nil
    ) {
        self.paths = paths
        self.isExclusive = isExclusive
        self.modelName = modelName ?? ModelStore.defaultModelName
        self.decoders = decoders
        self.concurrency = concurrency ?? min(ProcessInfo.processInfo.activeProcessorCount, Self.maximumConcurrency)
    }

    package func makeEngine() -> AnalysisEngine {
        let configuration = self
        let store = ModelStore(folders: paths.models)
        let opening = ModelOpening(paths: paths, isExclusive: isExclusive)
        func runners(_ laneCount: Int) -> HelperPool {
            let launcher = ModelLauncher(
                locator: HelperLocator(name: HelperKind.modelRunner.executableName, folders: paths.helpers),
                requiresSandbox: decoders.requiresSandbox, laneCount: laneCount
            ) { laneCount in
                try opening.parts(of: store.model(named: configuration.modelName), laneCount: laneCount)
            }
            return HelperPool(launcher, maximumCount: laneCount)
        }
        let (first, full) = (runners(1), concurrency > 1 ? runners(concurrency) : nil)
        let loader = ModelLoader {
            let input = try store.model(named: configuration.modelName).manifest.input
            return ModelLoader.Requirements(minimumWidth: input.resize.width, minimumHeight: input.resize.height)
        } load: {
            let model = RunnerModel(
                try store.model(named: configuration.modelName).manifest, first: first, full: full)
            try await model.warmUp()
            return model
        }
        func pool(_ kind: HelperKind) -> HelperPool {
            HelperPool(
                locator: HelperLocator(name: kind.executableName, folders: paths.helpers),
                maximumCount: AnalysisEngine.decoderCount(concurrency), settings: decoders, kind: kind)
        }
        return AnalysisEngine(
            loader: loader, pool: pool(.imageDecoder), sequencePool: pool(.imageDecoder),
            videoPool: pool(.videoDecoder), concurrency: concurrency)
    }

    /// More decoders and streams than this need memory that few apps would expect.
    private static let maximumConcurrency = 8
}
