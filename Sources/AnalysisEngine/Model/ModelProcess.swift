// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
internal import HelperProtocol
package import ModelStore

/// Starts the process of a model once, to check, add or compile the model.
package enum ModelProcess {
    /// Returns the known answers of a model: those of its manifest if the model gives them, otherwise its scores.
    ///
    /// - Throws: `AnalysisFailure` with the remedy.
    package static func answers(of model: InstalledModel) throws -> KnownAnswers {
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

    /// Returns a launcher of the model's process.
    ///
    /// - Parameters:
    ///   - paths: the folders of programs and libraries.
    ///   - open: opens the files of the model for a start, given the number of lanes.
    package static func launcher(
        _ paths: InstallationPaths, opening open: @escaping @Sendable (ModelOpening, Int) throws -> ModelParts
    ) -> ModelLauncher {
        let opening = ModelOpening(paths: paths, isExclusive: false)
        return ModelLauncher(paths: paths) { try open(opening, $0) }
    }

    /// Loads a model in its process, keeps no compiled copy, and returns the report of the process.
    ///
    /// - Parameter findsAnswers: whether the process returns the scores of its test drawings instead of checking them.
    /// - Throws: `AnalysisFailure` with the remedy.
    private static func load(_ model: InstalledModel, findsAnswers: Bool = false) throws -> ModelLoadReport {
        try launcher(.ofThisProcess()) { opening, laneCount in
            var parts = try opening.parts(of: model, laneCount: laneCount, findsAnswers: findsAnswers)
            parts.keep = nil
            return parts
        }.load().report
    }
}
