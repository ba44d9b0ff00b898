// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

extension MediaDecodingService {
    /// The answer about the picture that the app displays.
    package enum WholePictureAnswer: Sendable {
        case picture(WholePicture)
        /// The video decoder decodes the picture.
        case elsewhere(SequencePlace)
    }

    /// Decodes the picture of a file that the app itself displays.
    ///
    /// - Parameter makeInput: returns the input; it is called when a decoder is free, so waiting requests hold no
    ///   descriptor.
    /// - Throws: `AnalysisFailure` of every code that media can cause, `DecodingPostponed`, `CancellationError`.
    package func wholePicture(
        _ makeInput: @escaping @Sendable () throws -> DecoderInput, _ request: WholePictureRequest,
        urgency: DecodingUrgency = .patient
    ) async throws -> FileAnswer<WholePictureAnswer> {
        let time = request.limits.maximumDecodingTime
        return try await pool.converse(ConversationLimits(answer: time, total: time * 2, urgency: urgency)) {
            try makeInput().open()
        } _: { conversation in
            let answer = try await conversation.exchange(
                DecoderRequest.openWholePicture(request), attachesInput: true)
            switch answer.reply {
            case .wholePicture(let reply):
                return .value(.picture(try await Self.picture(reply, request, conversation)))
            case .media(let media):
                guard let sequence = media.sequence, request.sequence == nil else { throw HelperLie() }
                return .value(.elsewhere(sequence))
            case .content(let content): return .content(content)
            case .failure(let failure): throw AnalysisFailure(failure)
            default: throw HelperLie()
            }
        }
    }

    /// The answer about the frames that the app displays.
    package enum WholeFramesAnswer<Value: Sendable>: Sendable {
        case frames(Value)
        /// The video decoder decodes the frames.
        case elsewhere(SequencePlace)
    }

    /// Opens a file for the frames that the app itself displays, and calls the closure.
    ///
    /// After a crash of the decoder, both are done a second time.
    ///
    /// - Parameters:
    ///   - makeInput: returns the input; it is called when a decoder is free, so waiting requests hold no descriptor.
    ///   - body: decodes the frames.
    /// - Throws: `AnalysisFailure` of every code that media can cause, `SequencesWait`, `DecodingPostponed`,
    ///   `CancellationError`, and errors of the closure.
    package func wholeFrames<Value: Sendable>(
        _ makeInput: @escaping @Sendable () throws -> DecoderInput, _ request: WholePictureRequest,
        urgency: DecodingUrgency = .patient, _ body: @escaping @Sendable (OpenWholeFrames) async throws -> Value
    ) async throws -> FileAnswer<WholeFramesAnswer<Value>> {
        let limits = ConversationLimits(
            answer: request.limits.maximumDecodingTime, total: request.limits.maximumMediaDecodingTime,
            urgency: urgency)
        return try await pool.converse(limits) {
            try makeInput().open()
        } _: { [sequencePool] conversation in
            let answer = try await conversation.exchange(
                DecoderRequest.openWholeFrames(request), attachesInput: true)
            switch answer.reply {
            case .wholeFrames(let reply):
                let frames = try OpenWholeFrames(reply, conversation, request)
                if let sequencePool, await !conversation.move(to: sequencePool) {
                    try await conversation.closeMedia()
                    throw SequencesWait()
                }
                let result: Result<Value, any Error>
                do {
                    result = .success(try await body(frames))
                } catch let failure as AnalysisFailure {
                    result = .failure(failure)
                }
                try await conversation.closeMedia()
                return .value(.frames(try result.get()))
            case .media(let media):
                guard let sequence = media.sequence, request.sequence == nil else { throw HelperLie() }
                return .value(.elsewhere(sequence))
            case .content(let content): return .content(content)
            case .failure(let failure): throw AnalysisFailure(failure)
            default: throw HelperLie()
            }
        }
    }

    static func picture(
        _ reply: WholePictureReply, _ request: WholePictureRequest, _ conversation: HelperConversation
    ) async throws -> WholePicture {
        let layout = try WholePicture.check(reply, answering: request)
        let memory: PictureMemory
        do {
            memory = try PictureMemory(byteCount: layout.byteCount)
        } catch {
            throw AnalysisFailure(
                .limitExceeded,
                "The system has no memory for a picture of \(layout.width) × \(layout.height) pixels. Ask for a smaller"
                    + " one (maximumPixelSize).", cause: error)
        }
        let answer = try await conversation.exchange(DecoderRequest.writeWholePicture, memory: memory.descriptor)
        switch answer.reply {
        case .wholePictureWritten(let isDamaged):
            // A decoder that keeps the memory could change pixels after they were judged.
            guard let sealed = try? memory.sealed() else { throw HelperLie() }
            return WholePicture(
                format: reply.format, picture: try SealedPicture(layout: layout, memory: sealed),
                originalWidth: Int(reply.originalWidth), originalHeight: Int(reply.originalHeight),
                isDamaged: isDamaged)
        case .failure(let failure): throw AnalysisFailure(failure)
        default: throw HelperLie()
        }
    }
}
