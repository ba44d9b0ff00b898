// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// Opens pictures, picture sequences, videos and live streams in decoder processes.
package struct MediaDecodingService: Sendable {
    let pool: HelperPool
    let sequencePool: HelperPool?

    /// - Parameters:
    ///   - pool: the decoders that open files.
    ///   - sequencePool: the pool that a decoder changes to while it has a sequence open, so that no picture waits for
    ///     sequences; nil to leave it in the first pool.
    package init(pool: HelperPool, sequencePool: HelperPool? = nil) {
        self.pool = pool
        self.sequencePool = sequencePool
    }

    /// The content of a file that was opened.
    package enum Opened<Value: Sendable>: Sendable {
        /// The only picture of the file.
        case picture(DecodedPicture)
        /// The value of the closure that was called with the tracks of the file.
        case sequence(Value)
    }

    /// Opens a file, and calls the closure unless the file has one picture only.
    ///
    /// After a crash of the decoder, both are done a second time.
    ///
    /// - Parameters:
    ///   - makeInput: returns the input; it is called when a decoder is free, so waiting requests hold no descriptor.
    ///   - body: decodes the tracks of the file.
    /// - Throws: `AnalysisFailure` of every code that media can cause, `SequencesWait`, `DecodingPostponed`,
    ///   `CancellationError`, and errors of the closure.
    package func open<Value: Sendable>(
        _ makeInput: @escaping @Sendable () throws -> DecoderInput, _ request: OpenRequest,
        urgency: DecodingUrgency = .patient, _ body: @escaping @Sendable (OpenMedia) async throws -> Value
    ) async throws -> FileAnswer<Opened<Value>> {
        let limits = ConversationLimits(
            answer: request.limits.maximumDecodingTime, total: request.limits.maximumMediaDecodingTime,
            urgency: urgency)
        return try await pool.converse(limits) {
            try makeInput().open()
        } _: { [sequencePool] conversation in
            let answer = try await conversation.exchange(DecoderRequest.open(request), attachesInput: true)
            let result: Result<Value, any Error>
            switch answer.reply {
            case .image(let image):
                return .value(.picture(try DecodedPicture(image, answer.memory, answering: request.picture)))
            case .media(let media):
                let opened = try OpenMedia(media, conversation, request)
                if let sequencePool, await !conversation.move(to: sequencePool) {
                    result = .failure(SequencesWait())
                } else {
                    do {
                        result = .success(try await body(opened))
                    } catch let failure as AnalysisFailure {
                        result = .failure(failure)
                    }
                }
            case .content(let content): return .content(content)
            case .failure(let failure): throw AnalysisFailure(failure)
            default: throw HelperLie()
            }
            // Without this request, the decoder would keep the file open until it opens another file.
            try await conversation.closeMedia()
            return .value(.sequence(try result.get()))
        }
    }

    /// Finds the test patterns in pixels that the app has supplied.
    package func testPatterns(in picture: SealedPicture, limits: AnalysisLimits) async throws -> Set<ContentType> {
        let request = DecoderRequest.findTestPatterns(picture.layout)
        return try await pool.perform(request, timeLimit: limits.maximumDecodingTime) {
            picture.memory.descriptor
        } checking: { answer in
            switch answer.reply {
            case .testPatterns(let patterns): return Set(patterns)
            case .failure(let failure): throw AnalysisFailure(failure)
            default: throw HelperLie()
            }
        }
    }

    /// Decodes a live stream in a process of its own; see `StreamDecoder`.
    package func decodeStream(
        _ request: StreamRequest, beginning: [UInt8] = [], receive: @escaping @Sendable (LiveStreamEvent) -> Void
    ) throws -> StreamDecoder {
        try pool.decodeStream(request, beginning: beginning, receive: receive)
    }
}
