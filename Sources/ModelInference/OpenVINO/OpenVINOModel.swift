// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// An installed model, verified and loaded into OpenVINO.
package struct OpenVINOModel: SensitivityModel {
    private let manifest: ModelManifest
    let queue: InferenceQueue
    private let compiled: CompiledModel
    private let cache: CompiledModelCache?
    /// The version of OpenVINO.
    package let libraryVersion: String

    package var name: String { manifest.name }
    package var minimumWidth: Int { manifest.input.resize.width }
    package var minimumHeight: Int { manifest.input.resize.height }

    /// Verifies, loads and compiles a model.
    ///
    /// Blocks for about a tenth of a second, or a second without a cache.
    ///
    /// - Parameters:
    ///   - libraryFolders: where OpenVINO is looked for.
    ///   - cacheFolder: where the compiled model is kept, or nil to compile it every time.
    ///   - isExclusive: whether no library of another folder may take part.
    ///   - threads: the number of pictures that are scored at once at most, each on one core.
    /// - Throws: `modelUnavailable` with the remedy.
    package init(
        _ model: InstalledModel, libraryFolders: [String], isExclusive: Bool = false, cacheFolder: String?, threads: Int
    ) throws(AnalysisFailure) {
        let library = try OpenVINOLibrary(folders: libraryFolders, isExclusive: isExclusive)
        let threads = max(1, threads)
        let input = model.manifest.input
        let cache = CompiledModelCache(
            root: cacheFolder, libraryVersion: library.version, modelHash: model.manifest.sha256,
            modelFileState: try model.fileState(),
            configuration: "f32-\(input.shape.map(String.init).joined(separator: "x"))")
        // Every compiled model has its own copy of the weights, so there are two and not one for each thread.
        let compiled = try CompiledModel(library: library, model, streams: 1, cache: cache)
        let first = try compiled.makeRequest()
        self.compiled = compiled
        self.cache = cache
        OpenVINOActivity.delayExit()
        manifest = model.manifest
        let more: @Sendable () -> [InferenceRequest] = {
            // Without further threads the work takes longer, and nothing else.
            do {
                let rest = try CompiledModel(
                    library: library, model, streams: threads - 1, cache: cache, sharing: compiled.content)
                return try (1..<threads).map { _ in try rest.makeRequest() }
            } catch {
                return []
            }
        }
        queue = InferenceQueue(manifest: model.manifest, first: first, more: threads > 1 ? more : nil)
        libraryVersion = library.version
    }

    /// Whether the next start will find the compiled form of the model; reads it where this start did not.
    package func isKept() -> Bool { compiled.content != nil || cache?.content() != nil }

    package func scores(of views: [PixelImage]) async throws -> [[ContentScore]] {
        try await queue.scores(of: views)
    }
}
