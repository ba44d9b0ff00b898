// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperHost
internal import HelperProtocol

/// Hands judged frames on to an encoder.
///
/// The encoder begins with the second frame, because a file of one picture becomes no animation. It encodes a frame while the
/// next one is decoded.
actor SequenceTaker {
    private let sequence: OpenSequence
    private var encoding: SequenceEncoding
    private var firstFrame: WholeFrame?
    private var hasBegun = false
    /// The encoding of the latest frame.
    private var latest: Task<Void, any Error>?

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
            // The frames before a crash of the decoder are given up.
            await wait()
            (firstFrame, hasBegun, latest) = (frame, false, nil)
            encoding.loopCount = loopCount
            return
        }
        try await settle()
        latest = Task { [sequence, encoding, firstFrame = hasBegun ? nil : firstFrame] in
            if let firstFrame {
                try await sequence.begin(encoding, size: firstFrame.picture.picture.layout)
                try await sequence.add(firstFrame, to: encoding.format)
            }
            try await sequence.add(frame, to: encoding.format)
        }
        hasBegun = true
    }

    /// Waits until the encoder has nothing to do.
    func wait() async { _ = await latest?.result }

    /// Waits until the latest frame is encoded.
    ///
    /// - Throws: the error of the encoder.
    private func settle() async throws {
        do {
            try await latest?.value
        } catch let failure as AnalysisFailure {
            throw failure
        } catch {
            throw EncodingStopped(cause: error)
        }
    }

    /// Returns the file.
    ///
    /// - Returns: nil for an animation of one frame, which is a picture.
    func finish() async throws -> SealedMemory? {
        try await settle()
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
