// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
public import Foundation

extension SCSensitivityAnalyzer {
    /// The analysis of one video file, with its progress.
    ///
    /// ```swift
    /// let handler = analyzer.videoAnalysis(forFileAt: fileURL)
    /// let bar = Task {
    ///     for await update in handler.progressUpdates { view.progress = update.fractionCompleted }
    /// }
    /// defer { bar.cancel() }
    /// do {
    ///     view.isCovered = try await handler.hasSensitiveContent().isSensitive
    /// } catch {
    ///     view.isCovered = true
    /// }
    /// ```
    ///
    /// Source: Apple's documentation of `SCSensitivityAnalyzer.VideoAnalysisHandler`.
    public final class VideoAnalysisHandler: Sendable {
        private let work: VideoAnalysisWork

        init(fileURL: URL, backing: AnalyzerBacking) {
            work = VideoAnalysisWork(fileURL: fileURL, backing: backing)
        }

        /// The progress of the analysis; cancelling it cancels the analysis.
        ///
        /// Its descriptions have time codes, such as "0:12 of 1:02".
        public var progress: Progress {
            get { work.progress.current }
            set { work.progress.replace(with: newValue) }
        }

        /// Analyses the video; after a verdict, further calls return the same verdict without further work.
        ///
        /// - Returns: the verdict, as soon as it is clear.
        /// - Throws: ``SensitivityAnalysisError`` if the video could not be analysed, or `CancellationError`.
        nonisolated(nonsending) public func hasSensitiveContent() async throws -> SCSensitivityAnalysis {
            try ForkCheck.pass()
            return try await work.verdict()
        }

        /// The progress of the analysis after each step; the sequence ends with the analysis.
        ///
        /// Not in Apple's framework.
        public var progressUpdates: AsyncStream<ProgressUpdate> { work.progress.updates() }

        /// Analyses the video to its end, and returns the scores over time.
        ///
        /// Not in Apple's framework.
        ///
        /// - Throws: the errors of ``hasSensitiveContent()``.
        nonisolated(nonsending) public func timeline() async throws -> VideoTimeline {
            try ForkCheck.pass()
            return try await work.timeline()
        }
    }
}
