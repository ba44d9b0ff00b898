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
    /// - Returns: the copy, or the content of a file without pictures.
    /// - Throws: `AnalysisFailure` or `CancellationError`; a failed step never leads to a copy.
    package func judgedCopy(
        _ request: AnalysisRequest, maximumEdge: Int?, _ encoding: CopyEncoding,
        sensitive treatment: JudgedCopy.Treatment, _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> FileAnswer<JudgedCopy> {
        switch encoding.format {
        case .png: try await pictureCopy(request, maximumEdge: maximumEdge, encoding, .png, treatment, makeInput)
        case .jpeg: try await pictureCopy(request, maximumEdge: maximumEdge, encoding, .jpeg, treatment, makeInput)
        case .webp, .mp4, nil:
            try await sequenceCopy(request, maximumEdge: maximumEdge, encoding, treatment, makeInput)
        }
    }

    private func pictureCopy(
        _ request: AnalysisRequest, maximumEdge: Int?, _ encoding: CopyEncoding, _ format: PictureEncoding.Format,
        _ treatment: JudgedCopy.Treatment, _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> FileAnswer<JudgedCopy> {
        let judged = try await judgedPicture(request, maximumEdge: maximumEdge, makeInput)
        let original = JudgedOriginal(
            analysis: MediaAnalysis(judged.analysis), picture: judged.picture, isDamaged: judged.picture.isDamaged,
            format: CopyEncoding.Format(format))
        let encoding = encoding.picture(format)
        return .value(
            try await copy(of: original, treatment, request) {
                try await self.pictureEncoding.encode(judged.picture.picture, encoding, limits: request.limits)
            } cover: { cover in
                try await self.pictureEncoding.encode(cover, encoding, limits: request.limits)
            })
    }

    /// Encodes frames while they are judged; a file of one picture becomes a picture, unless a film is wanted.
    private func sequenceCopy(
        _ request: AnalysisRequest, maximumEdge: Int?, _ encoding: CopyEncoding, _ treatment: JudgedCopy.Treatment,
        _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> FileAnswer<JudgedCopy> {
        let taken = try await pictureEncoding.encodeSequence(limits: request.limits) { sequence in
            let taker = SequenceTaker(sequence, encoding)
            do {
                let answer = try await self.judgedFrames(
                    request, maximumEdge: maximumEdge, keptByteCount: 0, taking: { try await taker.take($0, $1, $2) },
                    makeInput)
                let taken = try await answer.asyncMap { frames in
                    let isRefused = frames.analysis.isSensitive && treatment != .picture
                    let file = isRefused ? nil : try await taker.finish()
                    return (frames, first: try await taker.first, film: try await taker.film, file)
                }
                await taker.wait()
                return taken
            } catch {
                // The encoder serves another caller next.
                await taker.wait()
                throw (error as? SequenceTaker.EncodingStopped)?.cause ?? error
            }
        }
        return try await taken.asyncMap { (frames, first, film, file) in
            let picture = encoding.picture(encoding.format == .webp ? .webp : PictureEncoding.Format(likeThatOf: first))
            let original = JudgedOriginal(
                analysis: frames.analysis, picture: first, isDamaged: frames.isDamaged,
                format: file == nil ? CopyEncoding.Format(picture.format) : CopyEncoding.Format(film.format))
            return try await copy(of: original, treatment, request) {
                if let file { return file }
                return try await self.pictureEncoding.encode(first.picture, picture, limits: request.limits)
            } cover: { cover in
                guard film.format == .mp4 else {
                    return try await self.pictureEncoding.encode(cover, picture, limits: request.limits)
                }
                return try await self.pictureEncoding.encodeSequence(limits: request.limits) { sequence in
                    try await sequence.begin(film, size: cover.layout)
                    try await sequence.add(cover, from: .zero, to: Self.lengthOfCover, film.format)
                    return try await sequence.finish(film.format)
                }
            }
        }
    }

    /// The verdict on an original, and its picture or its first frame.
    private struct JudgedOriginal: Sendable {
        let analysis: MediaAnalysis
        let picture: WholePicture
        let isDamaged: Bool
        /// The format of its copy.
        let format: CopyEncoding.Format
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
            analysis = analysis.joined(with: try await judge(file, second))
            if !analysis.isSensitive || treatment == .picture {
                return JudgedCopy(
                    analysis: analysis, file: file, format: original.format, isDamaged: original.isDamaged)
            }
        }
        let file: SealedMemory? =
            treatment == .cover ? try await cover(try CoveredPicture(original.picture.picture).picture) : nil
        return JudgedCopy(analysis: analysis, file: file, format: original.format, isDamaged: original.isDamaged)
    }

    /// Judges a copy as a file that other programs show.
    ///
    /// - Throws: a failure that says that there is no copy.
    func judge(_ copy: SealedMemory, _ request: AnalysisRequest) async throws -> MediaAnalysis {
        do {
            return try await analyzeMedia(request) { .memory(copy) }.get()
        } catch var failure as AnalysisFailure {
            failure.message = "The copy could not be judged, so it was not written. \(failure.message)"
            throw failure
        }
    }

    private static let lengthOfCover = Duration.seconds(1)
}

extension CopyEncoding {
    fileprivate func picture(_ format: PictureEncoding.Format) -> PictureEncoding {
        PictureEncoding(format: format, quality: quality, background: background)
    }
}

extension CopyEncoding.Format {
    fileprivate init(_ format: PictureEncoding.Format) {
        self =
            switch format {
            case .png: .png
            case .jpeg: .jpeg
            case .webp: .webp
            }
    }

    fileprivate init(_ format: SequenceEncoding.Format) {
        self =
            switch format {
            case .webp: .webp
            case .mp4: .mp4
            }
    }
}

extension PictureEncoding.Format {
    /// The format that keeps a picture most like its file: with opacity, and with loss only where the file has it.
    fileprivate init(likeThatOf picture: WholePicture) {
        let hasOpacity = picture.picture.layout.format.hasOpacity
        switch picture.format {
        case .jpeg, .heic, .avif, .jpegXL, .jpeg2000, .camera: self = hasOpacity ? .webp : .jpeg
        case .webp: self = .webp
        default: self = .png
        }
    }
}
