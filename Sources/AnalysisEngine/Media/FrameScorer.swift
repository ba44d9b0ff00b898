// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost

/// Scores frames, several at once.
struct FrameScorer: Sendable {
    let model: any SensitivityModel
    let keepsThumbnails: Bool

    /// What is known of a frame after scoring.
    struct Scored: Sendable {
        let views: [[ContentScore]]
        let testPatterns: Set<ContentType>
        let thumbnail: PixelSamples?
    }

    func score(_ picture: DecodedPicture) async throws -> Scored {
        Scored(
            views: try await model.scores(of: picture.views), testPatterns: picture.testPatterns,
            thumbnail: keepsThumbnails ? picture.samples(.cover) : nil)
    }
}
