// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost

/// Scores frames, several at once.
struct FrameScorer: Sendable {
    let model: any SensitivityModel
    let keepsThumbnails: Bool
    var keepsLabels = false

    /// The scores of a frame and the test patterns in it.
    struct Scored: Sendable {
        let views: [[ContentScore]]
        let testPatterns: Set<ContentType>
        let thumbnail: PixelSamples?
        var labels: [LabelScore] = []
    }

    func score(_ picture: DecodedPicture) async throws -> Scored {
        let scores = try await model.scores(of: picture.views, ScoringOptions(readsLabels: keepsLabels))
        return Scored(
            views: scores.views, testPatterns: picture.testPatterns,
            thumbnail: keepsThumbnails ? picture.samples(.cover) : nil,
            labels: scores.labels.replaced(byTestPatterns: picture.testPatterns))
    }
}
