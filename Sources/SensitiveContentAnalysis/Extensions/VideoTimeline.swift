// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation

extension SCSensitivityAnalyzer.VideoAnalysisHandler {
    /// How far the analysis of a video is.
    public struct ProgressUpdate: Sendable, Hashable {
        /// The share that has been gone through, from 0 to 1; it never goes back.
        public let fractionCompleted: Double
        /// The moment of the video that is being looked at.
        public let position: Duration
        /// The length of the video, where it is known.
        public let duration: Duration?
    }

    /// The scores of a video over time.
    public struct VideoTimeline: Sendable {
        /// The verdict about the whole.
        public let analysis: SCSensitivityAnalysis
        /// The length of the video, where it is known.
        public let duration: Duration?
        /// The frames that were looked at, in the order of time.
        public let samples: [Sample]
        /// The stretches that make the video sensitive, in the order of time.
        public let sensitiveSpans: [Span]

        /// A frame that was looked at.
        public struct Sample: Sendable, Hashable {
            /// When the frame is shown.
            public let time: Duration
            /// Its highest score, from 0 to 1.
            public let score: Float
        }

        /// A stretch in which all frames that were looked at reach a threshold.
        public struct Span: Sendable, Hashable {
            /// When it begins, as far as frames were looked at.
            public let start: Duration
            /// When it ends.
            public let end: Duration
            /// What was found.
            public let type: SCSensitivityAnalysis.ContentType
        }

        init(_ media: MediaAnalysis) {
            analysis = SCSensitivityAnalysis(AnalysisBacking(media))
            duration = media.duration
            samples = media.points.map { Sample(time: $0.start, score: $0.score) }.sorted { $0.time < $1.time }
            sensitiveSpans = media.spans.map {
                Span(
                    start: $0.start, end: $0.end,
                    type: SCSensitivityAnalysis.ContentType(rawValue: $0.type.rawValue))
            }
        }
    }
}
