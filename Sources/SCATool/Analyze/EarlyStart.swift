// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import HelperHost

/// Starts the model's process while the parser reads the arguments.
///
/// Nothing takes longer at the start of `sca analyze`, and the parser takes a tenth of the time of one small picture.
enum EarlyStart {
    /// Begins if the arguments are those of an analysis by the usual engine; in doubt nothing starts early.
    static func begin(_ arguments: [String]) {
        guard isUseful(arguments) else { return }
        Task.detached {
            // The demand of the person decides about the verdict and not about the engine.
            let authority = await AnalysisAuthority.current(demand: .simple)
            await authority.engine(modelName: nil, decoders: HelperSettings()).loadModelEarly()
        }
    }

    /// Whether an analysis with these arguments will use the usual engine.
    static func isUseful(_ arguments: [String]) -> Bool {
        arguments.count > 1 && arguments.first == "analyze"
            && !arguments.contains { argument in exceptions.contains { argument.hasPrefix($0) } }
    }

    /// The options by which another engine is used, or none.
    private static let exceptions = [
        "--model", "--decoder-memory", "--require-sandbox", "--jobs", "-j", "--cache", "--help", "-h", "--version",
    ]
}
