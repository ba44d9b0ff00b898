// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
internal import HelperProtocol

extension MediaEngine {
    /// Encodes the judged pixels of a file.
    ///
    /// The copy is judged like a file from a stranger, as other programs show it, because lossy encoding moves scores.
    ///
    /// - Parameters:
    ///   - maximumEdge: the longest edge in pixels; nil for the full size.
    ///   - treatment: what the copy shows of a sensitive file.
    /// - Throws: `AnalysisFailure` or `CancellationError`; a failed step never leads to a copy.
    package func judgedCopy(
        _ request: AnalysisRequest, maximumEdge: Int?, _ encoding: CopyEncoding,
        sensitive treatment: JudgedCopy.Treatment, _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> JudgedCopy {
        func picture(_ format: PictureEncoding.Format) async throws -> JudgedCopy {
            let encoding = PictureEncoding(
                format: format, quality: encoding.quality, background: encoding.background)
            return try await pictureCopy(request, maximumEdge: maximumEdge, encoding, treatment, makeInput)
        }
        func sequence(_ format: SequenceEncoding.Format) async throws -> JudgedCopy {
            let encoding = SequenceEncoding(
                format: format, quality: encoding.quality, background: encoding.background)
            return try await sequenceCopy(request, maximumEdge: maximumEdge, encoding, treatment, makeInput)
        }
        return switch encoding.format {
        case .png: try await picture(.png)
        case .jpeg: try await picture(.jpeg)
        case .webp: try await sequence(.webp)
        case .mp4: try await sequence(.mp4)
        }
    }

    private func pictureCopy(
        _ request: AnalysisRequest, maximumEdge: Int?, _ encoding: PictureEncoding, _ treatment: JudgedCopy.Treatment,
        _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> JudgedCopy {
        let judged = try await judgedPicture(request, maximumEdge: maximumEdge, makeInput)
        let picture = judged.picture
        let original = JudgedOriginal(
            analysis: MediaAnalysis(judged.analysis), picture: picture, isDamaged: picture.isDamaged)
        return try await copy(of: original, treatment, request) {
            try await self.pictureEncoding.encode(picture.picture, encoding, limits: request.limits)
        } cover: { cover in
            try await self.pictureEncoding.encode(cover, encoding, limits: request.limits)
        }
    }

    /// Encodes frames while they are judged; a file of one picture becomes a picture, unless a film is wanted.
    private func sequenceCopy(
        _ request: AnalysisRequest, maximumEdge: Int?, _ encoding: SequenceEncoding, _ treatment: JudgedCopy.Treatment,
        _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> JudgedCopy {
        let (frames, first, encoded) = try await pictureEncoding.encodeSequence(limits: request.limits) { sequence in
            let taker = SequenceTaker(sequence, encoding)
            do {
                let frames = try await self.judgedFrames(
                    request, maximumEdge: maximumEdge, keptByteCount: 0, taking: { try await taker.take($0, $1, $2) },
                    makeInput)
                let isRefused = frames.analysis.isSensitive && treatment != .picture
                let file = isRefused ? nil : try await taker.finish()
                await taker.wait()
                return (frames, try await taker.first, file)
            } catch {
                // The encoder serves another caller next.
                await taker.wait()
                throw (error as? SequenceTaker.EncodingStopped)?.cause ?? error
            }
        }
        let picture = PictureEncoding(format: .webp, quality: encoding.quality, background: encoding.background)
        let original = JudgedOriginal(analysis: frames.analysis, picture: first, isDamaged: frames.isDamaged)
        return try await copy(of: original, treatment, request) {
            if let encoded { return encoded }
            return try await self.pictureEncoding.encode(first.picture, picture, limits: request.limits)
        } cover: { cover in
            guard encoding.format == .mp4 else {
                return try await self.pictureEncoding.encode(cover, picture, limits: request.limits)
            }
            return try await self.pictureEncoding.encodeSequence(limits: request.limits) { sequence in
                try await sequence.begin(encoding, size: cover.layout)
                try await sequence.add(cover, from: .zero, to: Self.lengthOfCover, encoding.format)
                return try await sequence.finish(encoding.format)
            }
        }
    }

    /// The verdict on an original, and its picture or its first frame.
    private struct JudgedOriginal: Sendable {
        let analysis: MediaAnalysis
        let picture: WholePicture
        let isDamaged: Bool
    }

    /// Encodes an original or its cover, and judges the copy of an original.
    private func copy(
        of original: JudgedOriginal, _ treatment: JudgedCopy.Treatment, _ request: AnalysisRequest,
        encode: () async throws -> SealedMemory, cover: (SealedPicture) async throws -> SealedMemory
    ) async throws -> JudgedCopy {
        var analysis = original.analysis
        if !analysis.isSensitive || treatment == .picture {
            let file = try await encode()
            var second = request
            // The progress was that of the original.
            second.options.reportProgress = { _ in }
            do {
                analysis = analysis.joined(with: try await analyzeMedia(second) { .memory(file) }.get())
            } catch var failure as AnalysisFailure {
                failure.message = "The copy could not be judged, so it was not written. \(failure.message)"
                throw failure
            }
            if !analysis.isSensitive || treatment == .picture {
                return JudgedCopy(analysis: analysis, file: file, isDamaged: original.isDamaged)
            }
        }
        let file: SealedMemory? =
            treatment == .cover ? try await cover(try CoveredPicture(original.picture.picture).picture) : nil
        return JudgedCopy(analysis: analysis, file: file, isDamaged: original.isDamaged)
    }

    private static let lengthOfCover = Duration.seconds(1)
}
