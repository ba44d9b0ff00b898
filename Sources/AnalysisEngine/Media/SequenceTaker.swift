// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost
internal import HelperProtocol

/// Hands judged frames on to an encoder.
///
/// The encoder begins with the second frame, because a file of one picture becomes no animation.
actor SequenceTaker {
    private let sequence: OpenSequence
    private var encoding: SequenceEncoding
    private var firstFrame: WholeFrame?
    private var hasBegun = false

    init(_ sequence: OpenSequence, _ encoding: SequenceEncoding) {
        (self.sequence, self.encoding) = (sequence, encoding)
    }

    /// The first frame.
    ///
    /// - Throws: `internalFailure` if there is none.
    var first: WholePicture {
        get throws {
            guard let firstFrame else {
                throw AnalysisFailure(.internalFailure, "Frames were judged, and none was taken. Please report it.")
            }
            return firstFrame.picture
        }
    }

    /// Takes a frame; the number 0 begins anew.
    ///
    /// - Throws: `EncodingStopped` for an error of the encoder, which must not count as one of the decoder.
    func take(_ frame: WholeFrame, _ number: Int, _ loopCount: Int) async throws {
        if number == 0 {
            guard encoding.format != .webp || frame.picture.format != .video else {
                throw AnalysisFailure(.unsupportedMedia, "The file is a video. Copy it as MP4.")
            }
            (firstFrame, hasBegun) = (frame, false)
            encoding.loopCount = loopCount
            return
        }
        do {
            try await begin()
            try await sequence.add(frame, to: encoding.format)
        } catch let failure as AnalysisFailure {
            throw failure
        } catch {
            throw EncodingStopped(cause: error)
        }
    }

    private func begin() async throws {
        guard !hasBegun, let firstFrame else { return }
        hasBegun = true
        try await sequence.begin(encoding, size: firstFrame.picture.picture.layout)
        try await sequence.add(firstFrame, to: encoding.format)
    }

    /// Returns the file.
    ///
    /// - Returns: nil for an animation of one frame, which is a picture.
    func finish() async throws -> SealedMemory? {
        if !hasBegun {
            guard encoding.format == .mp4, let picture = firstFrame?.picture.picture else { return nil }
            try await sequence.begin(encoding, size: picture.layout)
            try await sequence.add(picture, from: .zero, to: Self.lengthOfPicture, encoding.format)
        }
        return try await sequence.finish(encoding.format)
    }

    /// The length of a film of one picture.
    private static let lengthOfPicture = Duration.seconds(1)

    /// The end of a conversation with an encoder.
    struct EncodingStopped: Error {
        let cause: any Error
    }
}
