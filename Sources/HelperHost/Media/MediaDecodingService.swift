// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import HelperProtocol

/// Opens files with any number of pictures by way of decoder processes.
package struct MediaDecodingService: Sendable {
    private let pool: HelperPool

    package init(pool: HelperPool) {
        self.pool = pool
    }

    /// The name of the executable that decodes videos.
    package static let videoExecutableName = HelperKind.videoDecoder.executableName

    /// What is asked of the decoder.
    package struct Wishes: Sendable {
        package var minimumWidth: Int
        package var minimumHeight: Int
        package var findsTestPatterns: Bool
        package var preset: SamplingPreset
        package var limits: AnalysisLimits
        /// The largest file, in bytes.
        package var maximumByteCount: Int
        /// Whether the file is known to be a picture file with a sequence in it.
        package var isImageSequence: Bool

        package init(
            minimumWidth: Int, minimumHeight: Int, findsTestPatterns: Bool, preset: SamplingPreset,
            limits: AnalysisLimits, maximumByteCount: Int, isImageSequence: Bool
        ) {
            self.minimumWidth = minimumWidth
            self.minimumHeight = minimumHeight
            self.findsTestPatterns = findsTestPatterns
            self.preset = preset
            self.limits = limits
            self.maximumByteCount = maximumByteCount
            self.isImageSequence = isImageSequence
        }

        var request: MediaRequest {
            MediaRequest(
                picture: ImageRequest(
                    minimumWidth: minimumWidth, minimumHeight: minimumHeight, findsTestPatterns: findsTestPatterns,
                    limits: limits, maximumByteCount: maximumByteCount),
                preset: preset, isImageSequence: isImageSequence, maximumDuration: limits.maximumDuration.microseconds,
                maximumFrameCount: UInt64(limits.maximumFrameCount))
        }
    }

    /// Opens a file and calls the closure with it; after a crash of the decoder, once more from the start.
    ///
    /// - Throws: `AnalysisFailure` of every code that media can cause, `DecodingPostponed`,
    ///   `CancellationError`, and what the closure throws.
    package func withMedia<Value: Sendable>(
        _ makeInput: @escaping @Sendable () throws -> DecoderInput, _ wishes: Wishes, urgency: DecodingUrgency,
        _ body: @escaping @Sendable (OpenMedia) async throws -> Value
    ) async throws -> Value {
        let request = wishes.request
        let limits = ConversationLimits(
            answer: wishes.limits.maximumDecodingTime, total: wishes.limits.maximumMediaDecodingTime, urgency: urgency)
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
            case .failure(let failure): throw AnalysisFailure(failure)
            default: throw HelperLie()
            }
            // What is open would stay so until the next file.
            guard case .closed = try await conversation.exchange(.closeMedia).reply else { throw HelperLie() }
            return try result.get()
        }
    }
}

extension Duration {
    /// Whole microseconds; 0 for what is negative.
    var microseconds: UInt64 { UInt64(clamping: Int64(clamping: Int128(self / .microseconds(1)))) }
}
