// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

extension MediaDecodingService {
    /// Copies the encoded frames of a film, and its sound, into a container of its own.
    ///
    /// - Parameter makeInput: returns the input; it is called when a decoder is free, so waiting requests hold no
    ///   descriptor.
    /// - Throws: `AnalysisFailure` of every code that media can cause, `DecodingPostponed`, `CancellationError`.
    package func remuxed(
        _ makeInput: @escaping @Sendable () throws -> DecoderInput, _ request: RemuxRequest,
        urgency: DecodingUrgency = .patient
    ) async throws -> FileAnswer<SealedMemory> {
        let time = request.limits.maximumDecodingTime * RemuxRequest.decodingTimes
        return try await pool.converse(ConversationLimits(answer: time, total: time * 2, urgency: urgency)) {
            try makeInput().open()
        } _: { conversation in
            let answer = try await conversation.exchange(DecoderRequest.remux(request), attachesInput: true)
            switch answer.reply {
            case .fileReady(let byteCount):
                // A decoder that was taken over must not fill the machine's memory.
                guard byteCount <= UInt64(conversation.inputByteCount ?? 0) * 2 + Self.roomForIndex else {
                    throw HelperLie()
                }
                let file = try await conversation.file(byteCount, DecoderRequest.writeRemuxed)
                return .value(file)
            case .content(let content): return .content(content)
            case .failure(let failure): throw Self.failure(failure, request)
            default: throw HelperLie()
            }
        }
    }

    /// The bytes by which the index of a copy may be larger than that of its film; a packet takes 64.
    private static let roomForIndex: UInt64 = 64 << 20

    private static func failure(_ failure: DecodingFailure, _ request: RemuxRequest) -> AnalysisFailure {
        var remedies = ["leave out --remux: the film is then encoded, without its sound"]
        switch failure.reason {
        case .unsupportedVariant: break
        case .libraryLimit:
            if request.keepsSound { remedies.insert("leave the sound out (--no-sound)", at: 0) }
            if request.container == .mp4 { remedies.insert("let the name of the copy end in .mkv", at: 0) }
        default: return AnalysisFailure(failure)
        }
        let remedy = remedies.joined(separator: ", or ")
        return AnalysisFailure(
            .unsupportedMedia,
            "The film cannot be copied without encoding, since \(failure.detail)."
                + " \(remedy.prefix(1).uppercased())\(remedy.dropFirst()).")
    }
}
