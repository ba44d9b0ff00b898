// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost

/// Scores frames, several at once.
struct FrameScorer: Sendable {
    let model: any SensitivityModel
    let keepsThumbnails: Bool
    var options = ScoringOptions()

    /// The scores of a frame and the test patterns in it.
    struct Scored: Sendable {
        /// The scores of the views of the frame, and of the pictures inside it.
        let views: [[ContentScore]]
        let testPatterns: Set<ContentType>
        let thumbnail: PixelSamples?
        let labels: [LabelScore]

        init(_ scores: ModelScores, testPatterns: Set<ContentType>, thumbnail: PixelSamples? = nil) {
            views = scores.views
            self.testPatterns = testPatterns
            self.thumbnail = thumbnail
            labels = scores.labels.replaced(byTestPatterns: testPatterns)
        }
    }

    func score(_ picture: DecodedPicture) async throws -> Scored {
        Scored(
            try await model.scores(of: picture.views, options), testPatterns: picture.testPatterns,
            thumbnail: keepsThumbnails ? picture.samples(.cover) : nil)
    }
}
