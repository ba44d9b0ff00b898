// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import DecoderHost
internal import Foundation
internal import ModelInference

/// What distinguishes one engine from another; analyzers with the same configuration share one.
package struct EngineConfiguration: Sendable, Hashable {
    package var paths: InstallationPaths
    /// Whether no library of another folder may take part, also where it was loaded before.
    package var isExclusive: Bool
    package var modelName: String
    package var decoders: DecoderSettings
    /// The number of cores to use.
    package var concurrency: Int

    package init(
        paths: InstallationPaths = .ofThisProcess(), isExclusive: Bool = false, modelName: String? = nil,
        decoders: DecoderSettings = DecoderSettings(), concurrency: Int? = nil
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
        let loader = ModelLoader {
            let input = try store.model(named: configuration.modelName).manifest.input
            return ModelLoader.Requirements(minimumWidth: input.resize.width, minimumHeight: input.resize.height)
        } load: {
            try OpenVINOModel(
                store.model(named: configuration.modelName), libraryFolders: configuration.paths.inferenceLibraries,
                isExclusive: configuration.isExclusive, cacheFolder: configuration.paths.cache,
                threads: configuration.concurrency)
        }
        func pool(of executable: String) -> DecoderPool {
            DecoderPool(
                locator: DecoderLocator(name: executable, folders: paths.decoders),
                maximumCount: AnalysisEngine.decoderCount(concurrency), settings: decoders)
        }
        return AnalysisEngine(
            loader: loader, pool: pool(of: ImageDecodingService.executableName),
            sequencePool: pool(of: ImageDecodingService.executableName),
            videoPool: pool(of: MediaDecodingService.videoExecutableName), concurrency: concurrency)
    }

    /// More decoders and streams than this need memory that few apps would expect.
    private static let maximumConcurrency = 8
}
