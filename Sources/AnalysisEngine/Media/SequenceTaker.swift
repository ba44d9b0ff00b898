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
    private let wanted: CopyEncoding
    /// The encoding of the film; nil before the first frame.
    private var encoding: SequenceEncoding?
    private var firstFrame: WholeFrame?
    private var hasBegun = false
    /// The encoding of the latest frame.
    private var latest: Task<Void, any Error>?

    init(_ sequence: OpenSequence, _ encoding: CopyEncoding) {
        (self.sequence, wanted) = (sequence, encoding)
    }

    /// The first frame.
    ///
    /// - Throws: `internalFailure` if there is none.
    var first: WholePicture {
        get throws {
            guard let firstFrame else { throw Self.noFrame }
            return firstFrame.picture
        }
    }

    /// The encoding of the film.
    ///
    /// - Throws: `internalFailure` if no frame was taken.
    var film: SequenceEncoding {
        get throws {
            guard let encoding else { throw Self.noFrame }
            return encoding
        }
    }

    private static let noFrame = AnalysisFailure(
        .internalFailure, "Frames were judged, and none was taken. Please report it.")

    /// Takes a frame; the number 0 begins anew.
    ///
    /// - Throws: `EncodingStopped` for an error of the encoder, which must not count as one of the decoder.
    func take(_ frame: WholeFrame, _ number: Int, _ loopCount: Int) async throws {
        if number == 0 {
            let film = try encoding(of: frame.picture, loopCount)
            // The frames before a crash of the decoder are given up.
            await wait()
            (firstFrame, encoding, hasBegun, latest) = (frame, film, false, nil)
            return
        }
        try await settle()
        let encoding = try film
        latest = Task { [sequence, firstFrame = hasBegun ? nil : firstFrame] in
            if let firstFrame {
                try await sequence.begin(encoding, size: firstFrame.picture.picture.layout)
                try await sequence.add(firstFrame, to: encoding.format)
            }
            try await sequence.add(frame, to: encoding.format)
        }
        hasBegun = true
    }

    /// Returns the encoding of the film that begins with a frame.
    ///
    /// - Throws: `unsupportedMedia` for a video that has to become an animation.
    private func encoding(of first: WholePicture, _ loopCount: Int) throws(AnalysisFailure) -> SequenceEncoding {
        let isVideo = first.format == .video
        guard wanted.format != .webp || !isVideo else {
            throw AnalysisFailure(.unsupportedMedia, "The file is a video. Copy it as MP4.")
        }
        return SequenceEncoding(
            format: wanted.format == .mp4 || isVideo ? .mp4 : .webp, quality: wanted.quality,
            background: wanted.background, loopCount: loopCount)
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
        let film = try film
        if !hasBegun {
            guard film.format == .mp4, let picture = firstFrame?.picture.picture else { return nil }
            try await sequence.begin(film, size: picture.layout)
            try await sequence.add(picture, from: .zero, to: Self.lengthOfPicture, film.format)
        }
        return try await sequence.finish(film.format)
    }

    /// The length of a film of one picture.
    private static let lengthOfPicture = Duration.seconds(1)

    /// The end of a conversation with an encoder.
    struct EncodingStopped: Error {
        let cause: any Error
    }
}
