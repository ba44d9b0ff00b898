// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost
internal import ModelStore

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

    func scores(of views: [PixelImage], _ options: ScoringOptions) async throws -> ModelScores {
        let scores = try await service.scores(
            of: views, readsLabels: options.readsLabels, search: search(options.innerPictures))
        return joined(named(scores, options.readsLabels), scores.innerPictures)
    }

    func scores(of picture: SealedPicture, _ options: ScoringOptions) async throws -> ModelScores {
        let scores = try await service.scores(
            of: picture, readsLabels: options.readsLabels, search: search(options.innerPictures))
        return joined(named(scores, options.readsLabels), scores.innerPictures)
    }

    /// Returns the search that the manifest allows; nil for none.
    private func search(_ extent: ScoringOptions.InnerPictures) -> InnerPictureSearch? {
        guard let settings = manifest.innerPictures else { return nil }
        return switch extent {
        case .none: nil
        case .whereWarm: InnerPictureSearch(warmth: settings.warmth, count: settings.count)
        case .everywhere: InnerPictureSearch(warmth: 0, count: settings.count)
        }
    }

    /// Adds the pictures inside the views as further views.
    private func joined(_ scores: ModelScores, _ innerPictures: [[InnerPicture]]) -> ModelScores {
        guard innerPictures.contains(where: { !$0.isEmpty }) else { return scores }
        var (views, regions) = (scores.views, scores.regions)
        for picture in innerPictures.joined() {
            var view: [ContentScore] = []
            for (value, output) in zip(picture.scores, manifest.outputs) {
                view.append(ContentScore(contentType: output.contentType, value: value, thresholds: output.thresholds))
                guard value >= min(output.thresholds.simple, output.thresholds.descriptive) else { continue }
                regions.append(
                    PictureRegion(rectangle: picture.rectangle, contentType: output.contentType, score: value))
            }
            views.append(view)
        }
        let highest = Dictionary(views.joined().map { ($0.contentType, $0.value) }, uniquingKeysWith: max)
        let labels = scores.labels.map { label in
            LabelScore(
                label: label.label, value: max(label.value, label.contentType.flatMap { highest[$0] } ?? 0),
                contentType: label.contentType)
        }
        return ModelScores(views: views, labels: labels, regions: regions)
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
