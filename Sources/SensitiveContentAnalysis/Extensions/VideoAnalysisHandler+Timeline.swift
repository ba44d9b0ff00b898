// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation

extension SCSensitivityAnalyzer.VideoAnalysisHandler {
    /// The progress of the analysis of a video.
    public struct ProgressUpdate: Sendable, Hashable {
        /// The analysed share of the video, from 0 to 1; it never decreases.
        public let fractionCompleted: Double
        /// The position of the analysis in the video.
        public let position: Duration
        /// The length of the video; nil if it is unknown.
        public let duration: Duration?
    }

    /// The scores of a video over time.
    ///
    /// ```swift
    /// do {
    ///     let timeline = try await analyzer.videoAnalysis(forFileAt: fileURL).timeline()
    ///     for span in timeline.sensitiveSpans {
    ///         print("\(span.type.rawValue) from \(span.start) to \(span.end)")
    ///     }
    /// } catch {
    ///     print("unknown:", error.localizedDescription)
    /// }
    /// ```
    public struct VideoTimeline: Sendable {
        /// The verdict on the whole video.
        public let analysis: SCSensitivityAnalysis
        /// The length of the video; nil if it is unknown.
        public let duration: Duration?
        /// The analysed frames, in order of time.
        public let samples: [Sample]
        /// The stretches of time that make the video sensitive, in order of time.
        public let sensitiveSpans: [Span]

        /// An analysed frame.
        public struct Sample: Sendable, Hashable {
            /// The presentation timestamp of the frame.
            public let time: Duration
            /// The highest score of the frame, from 0 to 1.
            public let score: Float
        }

        /// A stretch of time in which all analysed frames reach a threshold.
        public struct Span: Sendable, Hashable {
            /// The start of the stretch, as far as frames were analysed.
            public let start: Duration
            /// The end of the stretch.
            public let end: Duration
            /// The type of the content.
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
