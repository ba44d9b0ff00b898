// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost

/// Scores frames, several at once.
struct FrameScorer: Sendable {
    let model: any SensitivityModel
    let keepsThumbnails: Bool
    /// The options for a picture that is searched for pictures inside it.
    var options = ScoringOptions()

    /// The scores of a frame and the test patterns in it.
    struct Scored: Sendable {
        /// The scores of the views of the frame, and of the pictures inside it.
        var views: [[ContentScore]]
        let testPatterns: Set<ContentType>
        let thumbnail: PixelSamples?
        var labels: [LabelScore] = []
        /// The scores of the pictures inside the frame, which are among the views.
        var innerViews: [[ContentScore]] = []

        init(
            _ scores: ModelScores, testPatterns: Set<ContentType>, thumbnail: PixelSamples? = nil
        ) {
            views = scores.views
            self.testPatterns = testPatterns
            self.thumbnail = thumbnail
            labels = scores.labels.replaced(byTestPatterns: testPatterns)
            innerViews = scores.views.suffix(scores.innerCount)
        }
    }

    /// Scores a picture without time, or a frame.
    ///
    /// - Parameter isSearched: whether the frame is searched for pictures inside it; nil for a picture without time.
    func score(_ picture: DecodedPicture, isSearched: Bool?) async throws -> Scored {
        Scored(
            try await model.scores(of: picture.views, options.ofFrame(isSearched: isSearched)),
            testPatterns: picture.testPatterns, thumbnail: keepsThumbnails ? picture.samples(.cover) : nil)
    }
}
