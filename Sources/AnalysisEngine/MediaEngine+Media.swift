// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
internal import HelperProtocol

extension MediaEngine {
    /// Analyses a file of any kind: a picture, an animation, pages or a video.
    ///
    /// - Parameters:
    ///   - isLikelyVideo: whether the decoder of videos is asked first; the analysis is the same.
    ///   - makeInput: makes the input; it may be called several times, each time when the call leaves a queue.
    /// - Returns: the analysis, or the content of a file that is empty or in no known format.
    /// - Throws: `AnalysisFailure` or `CancellationError`; a file with a failed step is never judged not sensitive.
    package func analyzeMedia(
        _ request: AnalysisRequest, isLikelyVideo: Bool = false,
        _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> FileAnswer<MediaAnalysis> {
        try request.validate()
        return try await Self.openAny(videoFirst: isLikelyVideo) {
            try await self.pictures(request, makeInput)
        } video: {
            try await self.video(request, sequence: nil, makeInput)
        }
    }

    /// Analyses a picture, an animation or pages, and refuses videos.
    package func analyzePictures(
        _ request: AnalysisRequest, _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> FileAnswer<MediaAnalysis> {
        try request.validate()
        let answer = try await pictures(request, makeInput)
        guard case .content(.video) = answer else { return answer }
        throw AnalysisFailure(
            .unsupportedMedia, "The file is a video or sound file. Have it analysed as a video (videoAnalysis).")
    }

    /// Analyses the pictures that each decoder can show; the file is sensitive if either analysis finds it sensitive.
    private func pictures(
        _ request: AnalysisRequest, _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> FileAnswer<MediaAnalysis> {
        let answer = try await openPictures(makeInput) {
            request.openRequest(for: try await self.loader.prepare(), isVideo: false, sequence: nil)
        } picture: { picture in
            let analysis = try await self.judge(picture, request)
            request.options.reportProgress(MediaProgress(share: 1, position: .zero, duration: nil))
            return MediaAnalysis(
                analysis, keepsPoint: request.options.keepsTimeline || request.options.keepsThumbnails)
        } sequence: { media in
            try await self.analyzer(request, mayNeedVideoDecoder: true).analyze(media)
        }
        guard case .value(let pictures) = answer, let sequence = pictures.sequence,
            !pictures.isSensitive || request.options.keepsTimeline
        else { return answer }
        do {
            return .value(pictures.joined(with: try await video(request, sequence: sequence, makeInput).get()))
        } catch let failure as AnalysisFailure {
            guard pictures.isSensitive else { throw failure }
            return answer
        }
    }

    private func video(
        _ request: AnalysisRequest, sequence: SequencePlace?, _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> FileAnswer<MediaAnalysis> {
        try await openVideo(makeInput) {
            request.openRequest(for: try await self.loader.prepare(), isVideo: true, sequence: sequence)
        } _: { media in
            try await self.analyzer(request, mayMissPictures: sequence == .otherDrawing).analyze(media)
        }
    }
}
