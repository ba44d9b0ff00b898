// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
internal import HelperProtocol

extension MediaEngine {
    /// Decodes all frames of an animation or a short video, and judges them, for an app that displays them.
    ///
    /// Each frame is judged, or looks the same as the last judged one. A file of one picture has one frame.
    ///
    /// - Parameters:
    ///   - maximumEdge: the longest edge of frames in pixels; nil for the full size.
    ///   - keptByteCount: the size up to which frames are kept in memory; others are decoded again.
    ///   - take: takes each frame with its number, before the verdict is known; numbers begin at 0 again after a crash of
    ///     the decoder.
    ///   - makeInput: makes the input; it may be called several times.
    /// - Returns: the frames, or the content of a file without pictures.
    /// - Throws: `AnalysisFailure` or `CancellationError`; a failed step never leads to a verdict.
    package func judgedFrames(
        _ request: AnalysisRequest, maximumEdge: Int?, keptByteCount: Int,
        taking take: JudgedFrames.Take? = nil,
        _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> FileAnswer<JudgedFrames> {
        try request.validate()
        let model = try await loader.model(for: request)
        let walk = WholeFrameWalk(
            score: { picture, isFrame in try await self.scored(picture, isFrame: isFrame, request, model) },
            modelName: model.name, request: request, concurrency: concurrency, keptByteCount: keptByteCount,
            take: take)
        return try await openFrames(request, maximumEdge: maximumEdge, makeInput) { frames, place in
            try await walk.run(frames, place)
        }
    }

    /// Opens a file for its frames, in the decoder that can decode them.
    private func openFrames<Value: Sendable>(
        _ request: AnalysisRequest, maximumEdge: Int?, _ makeInput: @escaping @Sendable () throws -> DecoderInput,
        _ body: @escaping @Sendable (OpenWholeFrames, JudgedFrames.Place) async throws -> Value
    ) async throws -> FileAnswer<Value> {
        var whole = WholePictureRequest(limits: request.limits, maximumEdge: maximumEdge)
        let video = whole
        whole.limits.maximumMediaDecodingTime = min(
            request.limits.maximumMediaDecodingTime, request.limits.maximumPicturesDecodingTime)
        let answer: FileAnswer<MediaDecodingService.WholeFramesAnswer<Value>>
        do {
            answer = try await pictureLanes.run { [whole] urgency in
                try await self.pictureDecoding.wholeFrames(makeInput, whole, urgency: urgency) {
                    try await body($0, .pictures)
                }
            }
        } catch let wait as SequencesWait {
            answer = try await sequenceLanes.run { [whole] urgency in
                try await self.sequenceDecoding.wholeFrames(makeInput, whole, urgency: wait.urgency ?? urgency) {
                    try await body($0, .pictures)
                }
            }
        }
        switch answer {
        case .value(.frames(let value)): return .value(value)
        case .value(.elsewhere(let sequence)):
            whole.sequence = sequence
            return try await openVideoFrames(makeInput, whole, body)
        case .content(.video): return try await openVideoFrames(makeInput, video, body)
        case .content(let content): return .content(content)
        }
    }

    private func openVideoFrames<Value: Sendable>(
        _ makeInput: @escaping @Sendable () throws -> DecoderInput, _ whole: WholePictureRequest,
        _ body: @escaping @Sendable (OpenWholeFrames, JudgedFrames.Place) async throws -> Value
    ) async throws -> FileAnswer<Value> {
        let answer = try await videoLanes.run { urgency in
            try await self.videoDecoding.wholeFrames(makeInput, whole, urgency: urgency) {
                try await body($0, .video(whole.sequence))
            }
        }
        switch answer {
        case .value(.frames(let value)): return .value(value)
        case .content(.pictures), .value(.elsewhere):
            throw AnalysisFailure(.decoderFailed, "The decoders disagree about the kind of the file. Analyse it again.")
        case .content(let content): return .content(content)
        }
    }

    /// Opens a file again for its frames, and keeps it open until the closure returns.
    ///
    /// The decoders are those of playback, so a reader that takes its time delays no analysis.
    func holdFrames(
        _ request: AnalysisRequest, maximumEdge: Int?, _ place: JudgedFrames.Place,
        _ makeInput: @escaping @Sendable () throws -> DecoderInput,
        _ body: @escaping @Sendable (OpenWholeFrames) async throws -> Void
    ) async throws {
        var whole = WholePictureRequest(limits: request.limits, maximumEdge: maximumEdge)
        let service: MediaDecodingService
        switch place {
        case .pictures: service = playbackDecoding
        case .video(let sequence):
            service = videoPlaybackDecoding
            whole.sequence = sequence
        }
        guard case .value(.frames) = try await service.wholeFrames(makeInput, whole, body) else {
            throw AnalysisFailure(
                .inputUnreadable, "The file has changed since it was judged. Judge it again.")
        }
    }

    private func scored(
        _ picture: SealedPicture, isFrame: Bool, _ request: AnalysisRequest, _ model: any SensitivityModel
    ) async throws -> FrameScorer.Scored {
        let patterns =
            request.findsTestPatterns ? try await pictureDecoding.testPatterns(in: picture, limits: request.limits) : []
        return FrameScorer.Scored(
            try await model.scores(of: picture, request.scoring(isFrame: isFrame)), testPatterns: patterns)
    }
}
