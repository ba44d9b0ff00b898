// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost

/// A model whose scores have the thresholds that a person or an app asks for.
struct DemandingModel: SensitivityModel {
    let model: any SensitivityModel
    let demand: ThresholdDemand

    var name: String { model.name }
    var isReplaced: Bool { model.isReplaced }

    func scores(of views: [PixelImage], _ options: ScoringOptions) async throws -> ModelScores {
        demanding(try await model.scores(of: views, options))
    }

    func scores(of picture: SealedPicture, _ options: ScoringOptions) async throws -> ModelScores {
        demanding(try await model.scores(of: picture, options))
    }

    private func demanding(_ scores: ModelScores) -> ModelScores {
        let views = scores.views.map { view in
            view.map { score in
                ContentScore(
                    contentType: score.contentType, value: score.value,
                    thresholds: demand.applied(to: score.thresholds))
            }
        }
        return ModelScores(
            views: views, labels: scores.labels, regions: scores.regions, places: scores.places)
    }
}

extension ModelLoader {
    /// Returns the model for a request, with the thresholds that are in force.
    package func model(for request: AnalysisRequest) async throws -> any SensitivityModel {
        let model = try await model()
        return request.threshold.map { DemandingModel(model: model, demand: $0) } ?? model
    }
}
