// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// Opens videos and picture sequences in decoder processes.
package struct MediaDecodingService: Sendable {
    private let pool: HelperPool

    package init(pool: HelperPool) {
        self.pool = pool
    }

    /// Decodes a live stream in a process of its own; see `StreamDecoder`.
    package func decodeStream(
        _ request: StreamRequest, beginning: [UInt8] = [], receive: @escaping @Sendable (LiveStreamEvent) -> Void
    ) throws -> StreamDecoder {
        try pool.decodeStream(request, beginning: beginning, receive: receive)
    }

    /// The name of the executable that decodes videos.
    package static let videoExecutableName = HelperKind.videoDecoder.executableName

    /// Opens a file and calls the closure with it; after a crash of the decoder, it does both a second time.
    ///
    /// - Throws: `AnalysisFailure` of every code that media can cause, `DecodingPostponed`, `CancellationError`, and
    ///   errors of the closure.
    package func withMedia<Value: Sendable>(
        _ makeInput: @escaping @Sendable () throws -> DecoderInput, _ request: MediaRequest, urgency: DecodingUrgency,
        _ body: @escaping @Sendable (OpenMedia) async throws -> Value
    ) async throws -> FileAnswer<Value> {
        let limits = ConversationLimits(
            answer: request.limits.maximumDecodingTime, total: request.limits.maximumMediaDecodingTime,
            urgency: urgency)
        return try await pool.converse(limits) {
            try makeInput().open()
        } _: { conversation in
            let reply = try await conversation.exchange(.openMedia(request), attachesInput: true).reply
            let result: Result<Value, any Error>
            switch reply {
            case .media(let media):
                let opened = try OpenMedia(media, conversation, request)
                do {
                    result = .success(try await body(opened))
                } catch let failure as AnalysisFailure {
                    result = .failure(failure)
                }
            case .content(let content): return .content(content)
            case .failure(let failure): throw AnalysisFailure(failure)
            default: throw HelperLie()
            }
            // Without this request, the decoder would keep the file open until it opens another file.
            try await conversation.closeMedia()
            return .value(try result.get())
        }
    }
}
