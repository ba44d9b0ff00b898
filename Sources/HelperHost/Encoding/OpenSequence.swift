// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// An animation or a video that an encoder is making.
package struct OpenSequence: Sendable {
    private let conversation: HelperConversation

    init(_ conversation: HelperConversation) { self.conversation = conversation }

    /// Begins with the first frame, and gives up an unfinished sequence.
    ///
    /// - Throws: `limitExceeded` if the format cannot hold frames of this size, or the error that ends the conversation.
    package func begin(_ encoding: SequenceEncoding, size: PixelLayout) async throws {
        try await send(
            .beginSequence(encoding, width: UInt32(clamping: size.width), height: UInt32(clamping: size.height)),
            encoding.format)
    }

    /// Adds a frame.
    package func add(_ frame: WholeFrame, to format: SequenceEncoding.Format) async throws {
        try await add(frame.picture.picture, from: frame.start, to: frame.end, format)
    }

    /// Adds a picture that is shown from a moment to another.
    package func add(
        _ picture: SealedPicture, from start: Duration, to end: Duration, _ format: SequenceEncoding.Format
    ) async throws {
        let shown = TimeSpan(start: start.microseconds, end: end.microseconds)
        try await send(.addFrame(picture.layout, shown), format, memory: picture.memory)
    }

    /// Ends the sequence, and returns its file.
    package func finish(_ format: SequenceEncoding.Format) async throws -> SealedMemory {
        switch try await conversation.exchange(EncoderRequest.finishSequence).reply {
        case .fileReady(let byteCount): return try await conversation.file(byteCount, EncoderRequest.writeEncoded)
        case .failure(let failure): throw MediaEncodingService.failure(failure, format.name)
        default: throw HelperLie()
        }
    }

    private func send(
        _ request: EncoderRequest, _ format: SequenceEncoding.Format, memory: SealedMemory? = nil
    ) async throws {
        switch try await conversation.exchange(request, memory: memory?.descriptor).reply {
        case .closed: return
        case .failure(let failure): throw MediaEncodingService.failure(failure, format.name)
        default: throw HelperLie()
        }
    }
}

extension SequenceEncoding.Format {
    /// The name of the format in messages.
    package var name: String {
        switch self {
        case .webp: "animated WebP"
        case .mp4: "MP4"
        }
    }
}
