// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
package import HelperHost
internal import HelperProtocol

extension MediaEngine {
    /// Decodes the picture of a file and judges exactly the pixels that it returns, for an app that displays them.
    ///
    /// - Parameter maximumEdge: the longest edge in pixels; nil for the full size.
    /// - Throws: `AnalysisFailure` or `CancellationError`; a failed step never leads to a verdict.
    package func judgedPicture(
        _ request: AnalysisRequest, maximumEdge: Int?, _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> JudgedPicture {
        try request.validate()
        let whole = WholePictureRequest(limits: request.limits, maximumEdge: maximumEdge)
        let answer = try await pictureLanes.run { urgency in
            _ = try await self.loader.prepare()
            let picture = try await self.pictureDecoding.wholePicture(makeInput, whole, urgency: urgency)
            return try await picture.judged { try await self.judge($0, request) }
        }
        switch answer {
        case .value(.judged(let judged)): return judged
        case .value(.elsewhere(let sequence)):
            return try await judgedStill(request, sequence, maximumEdge: maximumEdge, makeInput)
        case .content(.video):
            throw AnalysisFailure(
                .unsupportedMedia,
                "The file is a video or sound file. Of a video, have the frames judged (judgedFrames), or copy it as MP4."
            )
        case .content(let content): throw AnalysisFailure(content)
        }
    }

    private func judgedStill(
        _ request: AnalysisRequest, _ sequence: SequencePlace, maximumEdge: Int?,
        _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> JudgedPicture {
        let whole = WholePictureRequest(limits: request.limits, maximumEdge: maximumEdge, sequence: sequence)
        let answer = try await videoLanes.run { urgency in
            let picture = try await self.videoDecoding.wholePicture(makeInput, whole, urgency: urgency)
            return try await picture.judged { try await self.judge($0, request) }
        }
        guard case .judged(let judged) = try answer.get() else {
            throw AnalysisFailure(.decoderFailed, "The decoders disagree about the kind of the file. Analyse it again.")
        }
        return judged
    }

    private func judge(_ picture: WholePicture, _ request: AnalysisRequest) async throws -> JudgedPicture {
        JudgedPicture(analysis: try await judge(picture.picture, request), picture: picture)
    }
}

/// A judged picture, or the place of one that the video decoder decodes.
private enum JudgedAnswer: Sendable {
    case judged(JudgedPicture)
    case elsewhere(SequencePlace)
}

extension FileAnswer<MediaDecodingService.WholePictureAnswer> {
    fileprivate func judged(
        _ judge: (WholePicture) async throws -> JudgedPicture
    ) async throws -> FileAnswer<JudgedAnswer> {
        switch self {
        case .content(let content): .content(content)
        case .value(.elsewhere(let sequence)): .value(.elsewhere(sequence))
        case .value(.picture(let picture)): .value(.judged(try await judge(picture)))
        }
    }
}
