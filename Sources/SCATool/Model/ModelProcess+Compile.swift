// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import CompiledModels
internal import HelperHost
internal import ModelStore

extension ModelProcess {
    /// Compiles a model of an installation, and stores the copy there.
    ///
    /// - Returns: the path of the copy.
    /// - Throws: `AnalysisFailure` with the remedy, `CommandFailure` if the copy cannot be stored.
    static func compile(_ name: String, in prefix: String) throws -> String {
        // No file of the caller takes part, not even the helper, because an administrator compiles for all accounts.
        var paths = InstallationPaths(environment: [:], executableFolder: "\(prefix)/bin")
        paths.helpers = Array(paths.helpers.prefix(2))
        paths.models = Array(paths.models.prefix(1))
        paths.inferenceLibraries = Array(paths.inferenceLibraries.prefix(1))
        let model = try InstalledModels(folders: paths.models).model(named: name)
        let root = "\(prefix)/lib/sensitive-content-analysis"
        try OutputFolder.requireWritable(root, remedy: "Run this as the owner of that folder (sudo).")
        _ = try launcher(paths) { opening, laneCount in
            var parts = try opening.parts(of: model, laneCount: laneCount, keepRoot: root)
            // The model is compiled again, even if there is a compiled copy.
            parts.compiledCopy = nil
            return parts
        }.load()
        let library = try InferenceLibrary(folders: paths.inferenceLibraries)
        guard let cache = model.compiledCopy(below: root), cache.isOf(state: try model.state(with: library)) else {
            throw CommandFailure(
                "The compiled model cannot be kept below \(root). Run this as the owner of that folder (sudo), and make room"
                    + " on the disk.", exitCode: CommandFailure.outputCode)
        }
        return cache.file
    }
}
