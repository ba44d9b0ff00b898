// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation
package import HelperHost
internal import ModelStore

/// The configuration of an engine; analyzers with the same configuration share one engine.
package struct EngineConfiguration: Sendable, Hashable {
    package var paths: InstallationPaths
    /// Whether files that the account can write take no part in an analysis.
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
        self.modelName = modelName ?? InstalledModels.defaultModelName
        self.decoders = decoders
        self.concurrency = concurrency ?? min(ProcessInfo.processInfo.activeProcessorCount, Self.maximumConcurrency)
    }

    package func makeEngine() -> MediaEngine {
        let configuration = self
        let store = InstalledModels(folders: paths.models)
        let opening = ModelOpening(paths: paths, isExclusive: isExclusive)
        @Sendable func runners(_ laneCount: Int, _ replacement: ModelReplacement) -> HelperPool {
            let launcher = ModelLauncher(
                paths: paths, requiresSandbox: decoders.requiresSandbox, laneCount: laneCount
            ) { laneCount in
                let model = try store.model(named: configuration.modelName)
                try replacement.check(model)
                return try opening.parts(of: model, laneCount: laneCount)
            }
            return HelperPool(launcher, maximumCount: laneCount)
        }
        let loader = ModelLoader {
            let size = try store.model(named: configuration.modelName).manifest.input.resize.minimumSize
            return ModelLoader.Requirements(minimumWidth: size.width, minimumHeight: size.height)
        } load: {
            let manifest = try store.model(named: configuration.modelName).manifest
            let replacement = ModelReplacement(of: manifest)
            let cores = configuration.concurrency
            let model = RunnerModel(
                manifest, replacement, first: runners(1, replacement),
                full: cores > 1 ? runners(cores, replacement) : nil)
            try await model.warmUp()
            return model
        }
        func pool(_ kind: HelperKind, maximumCount: Int? = nil) -> HelperPool {
            HelperPool(
                locator: HelperLocator(name: kind.executableName, folders: paths.helpers),
                maximumCount: maximumCount ?? MediaEngine.decoderCount(concurrency), settings: decoders, kind: kind)
        }
        return MediaEngine(
            loader: loader, pool: pool(.imageDecoder), sequencePool: pool(.imageDecoder),
            videoPool: pool(.videoDecoder),
            playbackPool: pool(.imageDecoder, maximumCount: Self.mostPlayed),
            videoPlaybackPool: pool(.videoDecoder, maximumCount: Self.mostPlayed), encoderPool: pool(.mediaEncoder),
            captureProgram: .captureProgram(in: paths.helpers), concurrency: concurrency
        )
    }

    /// The number of files whose frames are taken at once, more than an app shows at a time.
    private static let mostPlayed = 16
    /// The largest number of cores; more decoders and streams would need more memory than most apps expect.
    private static let maximumConcurrency = 8
}
