// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ModelStore
internal import Synchronization

/// Records whether the files of a model were replaced after its manifest was read.
///
/// Every start of the model's process opens the files anew, and one manifest must describe the scores of all starts.
final class ModelReplacement: Sendable {
    private let manifest: ModelManifest
    private let state = Mutex(false)

    init(of manifest: ModelManifest) {
        self.manifest = manifest
    }

    var hasHappened: Bool { state.withLock { $0 } }

    /// - Throws: `modelUnavailable` if the model in the folder now has another manifest.
    func check(_ model: InstalledModel) throws(AnalysisFailure) {
        guard model.manifest != manifest else { return }
        state.withLock { $0 = true }
        throw AnalysisFailure(
            .modelUnavailable, "The model was replaced while it was in use. Try again: the new one is loaded then.")
    }
}
