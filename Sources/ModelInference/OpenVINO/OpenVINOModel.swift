// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// An installed model, verified and loaded into OpenVINO.
package struct OpenVINOModel: SensitivityModel {
    private let manifest: ModelManifest
    private let queue: InferenceQueue
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
    ///   - threads: the number of pictures that are scored at once, each on one core.
    /// - Throws: `modelUnavailable` with the remedy.
    package init(
        _ model: InstalledModel, libraryFolders: [String], cacheFolder: String?, threads: Int
    ) throws(AnalysisFailure) {
        try model.verify()
        let library = try OpenVINOLibrary(folders: libraryFolders)
        let threads = max(1, threads)
        func compile(_ cache: CompiledModelCache?) throws(AnalysisFailure) -> CompiledModel {
            try CompiledModel(
                library: library, path: model.modelPath, streams: threads, cacheFolder: cache?.folder)
        }
        let cache = CompiledModelCache(
            root: cacheFolder, libraryVersion: library.version, modelHash: model.manifest.sha256,
            configuration: "f32-\(threads)")
        var compiled: CompiledModel?
        if let cache {
            // A cache that cannot be used costs time and must not cost the model.
            compiled = try? cache.whileLocked { () throws(AnalysisFailure) in try compile(cache) }
        }
        let ready = if let compiled { compiled } else { try compile(nil) }
        var requests: [InferenceRequest] = []
        for _ in 0..<threads { requests.append(try ready.makeRequest()) }
        OpenVINOActivity.delayExit()
        manifest = model.manifest
        queue = InferenceQueue(manifest: model.manifest, requests: requests)
        libraryVersion = library.version
    }

    package func scores(of views: [PixelImage]) async throws -> [[ContentScore]] {
        try await queue.scores(of: views)
    }
}
