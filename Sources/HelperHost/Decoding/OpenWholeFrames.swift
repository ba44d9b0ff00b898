// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// A file that is open in a decoder for the frames that the app displays; each reply is checked.
package struct OpenWholeFrames: Sendable {
    package let format: MediaFormat
    /// The facts about the only track.
    package let track: OpenMedia.Track
    /// How often an animation is shown; 0 means without end.
    package let loopCount: Int
    private let conversation: HelperConversation
    private let request: WholePictureRequest
    private let count = FrameCount()

    init(
        _ reply: WholeFramesReply, _ conversation: HelperConversation, _ request: WholePictureRequest
    ) throws(HelperLie) {
        format = reply.format
        track = OpenMedia.Track(
            isTimed: reply.isTimed, isComplete: true,
            duration: reply.duration == 0 ? nil : try OpenMedia.moment(reply.duration))
        loopCount = Int(reply.loopCount)
        self.conversation = conversation
        self.request = request
    }

    /// The result of one step.
    package enum Step: Sendable {
        case frame(WholeFrame)
        case end(OpenMedia.End)
    }

    /// Decodes the next frame into memory that is then sealed.
    ///
    /// - Throws: `AnalysisFailure`, `HelperLie`, or the error that ends the conversation.
    package func next() async throws -> Step {
        switch try await size() {
        case .end(let end): return .end(end)
        case .frame(let reply, let start, let end):
            let picture = try await MediaDecodingService.picture(reply, request, conversation)
            return .frame(WholeFrame(picture: picture, start: start, end: end))
        }
    }

    /// Passes over the next frame without its pixels.
    ///
    /// - Returns: whether there was a frame.
    package func passOver() async throws -> Bool {
        if case .frame = try await size() { true } else { false }
    }

    private enum Size {
        case frame(WholePictureReply, Duration, Duration)
        case end(OpenMedia.End)
    }

    private func size() async throws -> Size {
        switch try await conversation.exchange(DecoderRequest.nextWholeFrame).reply {
        case .wholeFrame(let reply, let span):
            let (start, end) = try OpenMedia.moments(span)
            try count.check(start: start, within: request.limits)
            return .frame(reply, start, end)
        case .trackEnd(let end): return .end(try OpenMedia.End(end))
        case .failure(let failure): throw AnalysisFailure(failure)
        default: throw HelperLie()
        }
    }
}
