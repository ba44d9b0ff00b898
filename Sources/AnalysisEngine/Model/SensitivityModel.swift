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
    /// - Parameter readsLabels: whether the scores of all labels are needed as well.
    /// - Throws: `AnalysisFailure` or `CancellationError`.
    func scores(of views: [PixelImage], readsLabels: Bool) async throws -> ModelScores

    /// Scores the views of pixels of an app.
    ///
    /// - Throws: the same errors as `scores(of:readsLabels:)` for views.
    func scores(of picture: SealedPicture, readsLabels: Bool) async throws -> ModelScores
}

/// The scores of one picture.
package struct ModelScores: Sendable {
    /// For each view, a score for each content type of the model.
    package let views: [[ContentScore]]
    /// The labels of the view with the highest score, in the order of the model; empty if they were not requested.
    ///
    /// A label that stands for sensitive content has its highest score in any view. A model without labels has a label for each of its content types.
    package let labels: [LabelScore]

    package init(views: [[ContentScore]], labels: [LabelScore] = []) {
        self.views = views
        self.labels = labels
    }
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
        service = ModelScoringService(
            first: first, full: full, outputCount: manifest.outputs.count,
            labelCount: manifest.labels?.names.count ?? 0)
    }

    var isReplaced: Bool { replacement.hasHappened }

    func warmUp() async throws { try await service.warmUp() }

    var name: String { manifest.name }

    func scores(of views: [PixelImage], readsLabels: Bool) async throws -> ModelScores {
        named(try await service.scores(of: views, readsLabels: readsLabels), readsLabels)
    }

    func scores(of picture: SealedPicture, readsLabels: Bool) async throws -> ModelScores {
        named(try await service.scores(of: picture, readsLabels: readsLabels), readsLabels)
    }

    private func named(_ scores: ModelScoringService.Scores, _ readsLabels: Bool) -> ModelScores {
        let views = scores.views.map { view in
            zip(view, manifest.outputs).map { value, output in
                ContentScore(contentType: output.contentType, value: value, thresholds: output.thresholds)
            }
        }
        guard readsLabels else { return ModelScores(views: views) }
        guard let labels = manifest.labels else {
            let values = Dictionary(views.joined().map { ($0.contentType, $0.value) }, uniquingKeysWith: max)
            return ModelScores(
                views: views,
                labels: values.sorted { $0.key < $1.key }.map { type, value in
                    LabelScore(label: type.rawValue, value: value, contentType: type)
                })
        }
        let types = Dictionary(
            manifest.outputs.filter { $0.name == labels.output }.map { ($0.column, $0.contentType) },
            uniquingKeysWith: { first, _ in first })
        // Another view may have a higher score of a label that stands for sensitive content.
        var highest: [Int: Float] = [:]
        for view in scores.views {
            for (value, output) in zip(view, manifest.outputs) where output.name == labels.output {
                highest[output.column] = max(highest[output.column] ?? 0, value)
            }
        }
        return ModelScores(
            views: views,
            labels: zip(labels.names, scores.labels).enumerated().map { column, pair in
                LabelScore(
                    label: pair.0, value: max(pair.1, highest[column] ?? 0), contentType: types[column])
            })
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
