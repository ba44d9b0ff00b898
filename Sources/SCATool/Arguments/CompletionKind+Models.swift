// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import ArgumentParser
internal import ModelStore

extension CompletionKind {
    /// The names of the installed models, which the shell asks the command for.
    static var installedModels: CompletionKind {
        .custom { _, _, _ in InstalledModels(folders: InstallationPaths.ofThisProcess().models).models().map(\.name) }
    }
}
