// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// Encodes judged pictures in encoder processes, which never see the file that a picture comes from.
package struct MediaEncodingService: Sendable {
    private let pool: HelperPool

    package init(pool: HelperPool) {
        self.pool = pool
    }

    /// Returns the encoded file in sealed memory.
    ///
    /// - Throws: `limitExceeded`, `timedOut`, `decoderUnavailable`, `decoderFailed` or `CancellationError`.
    package func encode(
        _ picture: SealedPicture, _ encoding: PictureEncoding, limits: AnalysisLimits
    ) async throws -> SealedMemory {
        let time = limits.maximumDecodingTime * Self.decodingTimes
        return try await pool.converse(ConversationLimits(answer: time, total: time * 2)) {
            picture.memory.descriptor
        } _: { conversation in
            let answer = try await conversation.exchange(
                EncoderRequest.encode(picture.layout, encoding), attachesInput: true)
            let byteCount: UInt64
            switch answer.reply {
            case .fileReady(let count): byteCount = count
            case .failure(let failure): throw Self.failure(failure, encoding.format.name)
            default: throw HelperLie()
            }
            return try await conversation.file(byteCount, EncoderRequest.writeEncoded)
        }
    }

    /// Encodes frames that come one after the other.
    ///
    /// After a crash of the encoder, the closure is called a second time.
    ///
    /// - Parameter body: adds the frames to the sequence.
    /// - Throws: `limitExceeded`, `timedOut`, `decoderUnavailable`, `decoderFailed`, `CancellationError`, and errors of the
    ///   closure.
    package func encodeSequence<Value: Sendable>(
        limits: AnalysisLimits, _ body: @escaping @Sendable (OpenSequence) async throws -> Value
    ) async throws -> Value {
        let time = limits.maximumDecodingTime * Self.decodingTimes
        let total = max(time, limits.maximumMediaDecodingTime * Self.decodingTimes)
        return try await pool.converse(ConversationLimits(answer: time, total: total), opening: nil) { conversation in
            try await body(OpenSequence(conversation))
        }
    }

    /// The time limit in those of decoding; libwebp takes about a second for five million pixels.
    private static let decodingTimes = 4

    static func failure(_ failure: DecodingFailure, _ format: String) -> AnalysisFailure {
        let detail = failure.detail.isEmpty ? "" : " (\(failure.detail))"
        switch failure.reason {
        case .libraryLimit:
            return AnalysisFailure(
                .limitExceeded,
                "The picture cannot be encoded as \(format)\(detail). Ask for a smaller copy, or for another format."
            )
        case .outOfMemory:
            return AnalysisFailure(
                .limitExceeded, "The encoder needs more memory than it may use. Ask for a smaller copy.")
        default:
            return AnalysisFailure(.decoderFailed, "The encoder could not go on\(detail). Run `sca doctor`.")
        }
    }
}

extension PictureEncoding.Format {
    /// The name of the format in messages.
    package var name: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .webp: "WebP"
        }
    }
}
