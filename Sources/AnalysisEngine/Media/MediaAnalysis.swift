// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import HelperProtocol

/// The result of the analysis of a file with any number of pictures.
package struct MediaAnalysis: Sendable, Hashable {
    package var kind: AnalyzedMediaKind
    /// The content types for which the file is sensitive.
    package var detectedTypes: Set<ContentType> = []
    /// The highest score of any view of any picture; a brief frame may score high in a file that is not sensitive.
    package var score: Float = 0
    package var modelName: String
    package var policy: AnalysisPolicy
    /// The length of the longest video track; nil for pictures without times.
    package var duration: Duration?
    /// The number of pictures that were scored.
    package var framesAnalyzed = 0
    /// The number of pictures that were decoded, including pictures that were decoded only to reach others.
    package var framesDecoded = 0
    /// The start of the first sensitive stretch.
    package var firstSensitiveTime: Duration?
    /// The stretches that are sensitive, in the order of time.
    package var spans: [FrameTimeline.Span] = []
    /// The scores from which on content counts, by the model's manifest.
    package var thresholds: Thresholds?
    /// The scores over time, if they were requested.
    package var points: [ScorePoint] = []
    /// The labels of the picture with the highest score, in the order of the model; empty if they were not requested.
    ///
    /// A label that stands for sensitive content has its highest score in any picture.
    package var labels: [LabelScore] = []
    /// The pictures inside the only picture whose score reaches a threshold of the manifest; empty for other media.
    package var regions: [PictureRegion] = []
    /// The scores of the places in the only picture; nil if they were not requested, or if there is no map.
    package var places: PlaceScores?

    /// Whether pictures are left that only the video decoder can show.
    var sequence: SequencePlace?

    package var isSensitive: Bool { !detectedTypes.isEmpty }

    package init(kind: AnalyzedMediaKind, modelName: String, policy: AnalysisPolicy) {
        self.kind = kind
        self.modelName = modelName
        self.policy = policy
    }

    /// Creates the result for a file with one picture.
    ///
    /// - Parameter keepsPoint: whether the score is also a point with the small picture.
    package init(_ picture: PictureAnalysis, keepsPoint: Bool = false) {
        self.init(kind: .image, modelName: picture.modelName, policy: picture.policy)
        detectedTypes = picture.verdict.detectedTypes
        score = picture.verdict.score
        labels = picture.labels
        regions = picture.regions
        places = picture.places
        framesAnalyzed = 1
        framesDecoded = 1
        if keepsPoint {
            points = [ScorePoint(start: .zero, end: .zero, score: score, thumbnail: picture.thumbnail)]
        }
    }

    /// Removes the thumbnails of all points, except the points with the highest scores.
    mutating func keepBestThumbnails(_ count: Int) {
        let best = points.indices.sorted { points[$0].score > points[$1].score }
        for index in best.dropFirst(count) { points[index].thumbnail = nil }
    }

    /// Joins this analysis of some pictures of a file with the analysis of the other pictures.
    func joined(with other: MediaAnalysis) -> MediaAnalysis {
        var all = other
        all.detectedTypes.formUnion(detectedTypes)
        all.score = max(score, other.score)
        all.labels = labels.joined(with: other.labels, isHigher: other.score >= score)
        all.framesAnalyzed += framesAnalyzed
        all.framesDecoded += framesDecoded
        all.spans = spans + other.spans
        all.points = points + other.points
        return all
    }
}
