// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import HelperHost
internal import HelperProtocol
internal import ModelStore

/// Loads a model in its process once, for a command that is about the model itself.
enum ModelProcess {
    /// - Parameter findsAnswers: whether the scores of the drawings are found out, and not checked.
    /// - Throws: `AnalysisFailure` with the remedy.
    static func load(_ model: InstalledModel, findsAnswers: Bool = false) throws -> ModelLoadReport {
        try launcher { opening, laneCount in
            var parts = try opening.parts(of: model, laneCount: laneCount, findsAnswers: findsAnswers)
            parts.keep = nil
            return parts
        }.load().report
    }

    /// Compiles a model, and keeps the copy below a folder.
    ///
    /// - Returns: the path of the copy.
    /// - Throws: `AnalysisFailure` with the remedy, `CommandFailure` where the copy cannot be kept.
    static func compile(_ model: InstalledModel, below root: String) throws -> String {
        _ = try launcher { opening, laneCount in
            var parts = try opening.parts(of: model, laneCount: laneCount, keepRoot: root)
            // Anew, also where there is a copy.
            parts.compiledCopy = nil
            return parts
        }.load()
        let library = try InferenceLibrary(folders: paths.inferenceLibraries)
        guard let cache = model.compiledCopy(below: root), cache.isOf(state: try model.state(with: library)) else {
            throw CommandFailure(
                "The compiled model cannot be kept below \(root). Run this as the owner of that folder (sudo), and make room"
                    + " on the disk.")
        }
        return cache.file
    }

    private static let paths = InstallationPaths.ofThisProcess()

    private static func launcher(
        _ open: @escaping @Sendable (ModelOpening, Int) throws -> ModelParts
    ) -> ModelLauncher {
        let opening = ModelOpening(paths: paths, isExclusive: false)
        return ModelLauncher(
            locator: HelperLocator(name: HelperKind.modelRunner.executableName, folders: paths.helpers),
            requiresSandbox: false, laneCount: 1
        ) { laneCount in
            try open(opening, laneCount)
        }
    }
}
