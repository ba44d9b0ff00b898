// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
internal import ModelStore
internal import Synchronization

/// A model that scores pictures: the model in its process, or a script in tests.
package protocol SensitivityModel: Sendable {
    /// The name that is reported with every score.
    var name: String { get }

    /// Whether the model was replaced and has to be loaded anew, because scores belong to the manifest of their model.
    var isReplaced: Bool { get }

    /// Scores the views of one picture.
    ///
    /// - Returns: for each view, a score for each content type of the model.
    /// - Throws: `AnalysisFailure` or `CancellationError`.
    func scores(of views: [PixelImage]) async throws -> [[ContentScore]]

    /// Scores the views of pixels of an app.
    ///
    /// - Throws: the same errors as `scores(of:)` for views.
    func scores(of picture: SealedPicture) async throws -> [[ContentScore]]
}

extension SensitivityModel {
    package var isReplaced: Bool { false }
}

/// A model that runs in a separate process.
struct RunnerModel: SensitivityModel {
    private let manifest: ModelManifest
    private let replacement: ModelReplacement
    private let service: ModelScoringService

    init(_ manifest: ModelManifest, _ replacement: ModelReplacement, first: HelperPool, full: HelperPool?) {
        self.manifest = manifest
        self.replacement = replacement
        service = ModelScoringService(first: first, full: full, outputCount: manifest.outputs.count)
    }

    var isReplaced: Bool { replacement.hasHappened }

    func warmUp() async throws { try await service.warmUp() }

    var name: String { manifest.name }

    func scores(of views: [PixelImage]) async throws -> [[ContentScore]] {
        content(try await service.scores(of: views))
    }

    func scores(of picture: SealedPicture) async throws -> [[ContentScore]] {
        content(try await service.scores(of: picture))
    }

    private func content(_ scores: [[Float]]) -> [[ContentScore]] {
        scores.map { view in
            zip(view, manifest.outputs).map { value, output in
                ContentScore(contentType: output.contentType, value: value, thresholds: output.thresholds)
            }
        }
    }
}

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
