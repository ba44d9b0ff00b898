// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import CompiledModels
internal import HelperHost
internal import HelperProtocol
internal import ModelStore

/// Starts the process of a model once, for commands that check or compile the model.
enum ModelProcess {
    /// - Parameter findsAnswers: whether the process returns the scores of its test drawings instead of checking them.
    /// - Throws: `AnalysisFailure` with the remedy.
    static func load(_ model: InstalledModel, findsAnswers: Bool = false) throws -> ModelLoadReport {
        try launcher(.ofThisProcess()) { opening, laneCount in
            var parts = try opening.parts(of: model, laneCount: laneCount, findsAnswers: findsAnswers)
            parts.keep = nil
            return parts
        }.load().report
    }

    /// Returns the known answers of a model: those of its manifest if the model gives them, otherwise its scores.
    ///
    /// - Throws: `AnalysisFailure` with the remedy.
    static func answers(of model: InstalledModel) throws -> KnownAnswers {
        if let known = model.manifest.knownAnswers {
            _ = try load(model)
            return known
        }
        let scores = try load(model, findsAnswers: true).drawings
        guard scores.joined().allSatisfy({ $0 >= 0 && $0 <= 1 }) else {
            throw AnalysisFailure(
                .modelUnavailable,
                "The model's scores are not between 0 and 1. Export it with a softmax or a sigmoid at its end.")
        }
        return KnownAnswers(scores: scores)
    }

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

    private static func launcher(
        _ paths: InstallationPaths, opening open: @escaping @Sendable (ModelOpening, Int) throws -> ModelParts
    ) -> ModelLauncher {
        let opening = ModelOpening(paths: paths, isExclusive: false)
        return ModelLauncher(paths: paths) { try open(opening, $0) }
    }
}
