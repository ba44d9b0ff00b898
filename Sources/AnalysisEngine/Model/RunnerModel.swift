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
        named(try await service.scores(of: views, details(options)), options)
    }

    func scores(of picture: SealedPicture, _ options: ScoringOptions) async throws -> ModelScores {
        named(try await service.scores(of: picture, details(options)), options)
    }

    private func details(_ options: ScoringOptions) -> ModelScoringService.Details {
        ModelScoringService.Details(
            includesLabels: options.readsLabels && manifest.labels != nil, includesPlaces: options.readsPlaces,
            search: search(options))
    }

    /// Returns the search that the manifest allows; nil for none.
    private func search(_ options: ScoringOptions) -> InnerPictureSearch? {
        guard var search = manifest.innerPictures, options.innerPictures != .none else { return nil }
        if options.isFrame {
            search.count = max(1, search.count / Self.frameShare)
            search.warmth = min(1, search.warmth * Self.frameWarmth)
        }
        if options.innerPictures == .everywhere { search.warmth = 0 }
        return search
    }

    /// The part of a manifest's count that is judged in a frame, because a video has many frames.
    private static let frameShare = 4
    /// The factor on a manifest's warmth for frames; a fifth of all photographs reach the product, and most layouts do.
    private static let frameWarmth: Float = 5

    /// Names the scores of the views and of the pictures inside them, which are further views.
    private func named(_ scores: ModelScoringService.Scores, _ options: ScoringOptions) -> ModelScores {
        let inner = Array(scores.innerPictures.joined())
        let values = scores.views + inner.map(\.scores)
        let views = values.map { view in
            zip(view, manifest.outputs).map { value, output in
                ContentScore(contentType: output.contentType, value: value, thresholds: output.thresholds)
            }
        }
        let regions = inner.flatMap { picture in
            zip(picture.scores, manifest.outputs).compactMap { score, output -> PictureRegion? in
                guard score >= min(output.thresholds.simple, output.thresholds.descriptive) else { return nil }
                return PictureRegion(rectangle: picture.rectangle, contentType: output.contentType, score: score)
            }
        }
        return ModelScores(
            views: views, labels: options.readsLabels ? labels(scores.labels, values) : [],
            regions: PictureRegion.distinct(regions),
            places: scores.placeScores)
    }

    /// Returns the labels of a picture; a label that stands for sensitive content has its highest score in any view.
    ///
    /// - Parameters:
    ///   - scores: the score of each label of the manifest.
    ///   - views: for each view, the score of each output.
    private func labels(_ scores: [Float], _ views: [[Float]]) -> [LabelScore] {
        func highest(_ key: (ModelManifest.Output) -> Int?) -> [Int: Float] {
            let pairs = views.flatMap { zip($0, manifest.outputs) }.compactMap { value, output in
                key(output).map { ($0, value) }
            }
            return Dictionary(pairs, uniquingKeysWith: max)
        }
        guard let labels = manifest.labels else {
            let types = Array(Set(manifest.outputs.map(\.contentType))).sorted()
            let values = highest { types.firstIndex(of: $0.contentType) }
            return types.enumerated().map { index, type in
                LabelScore(label: type.rawValue, value: values[index] ?? 0, contentType: type)
            }
        }
        let outputs = manifest.outputs.filter { $0.name == labels.output }
        let types = Dictionary(outputs.map { ($0.column, $0.contentType) }, uniquingKeysWith: { first, _ in first })
        let values = highest { $0.name == labels.output ? $0.column : nil }
        return zip(labels.names, scores).enumerated().map { column, pair in
            LabelScore(label: pair.0, value: max(pair.1, values[column] ?? 0), contentType: types[column])
        }
    }
}
