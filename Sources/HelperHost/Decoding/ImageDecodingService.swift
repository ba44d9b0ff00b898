// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import FileAccess
package import HelperProtocol

/// A media file or media in memory, whose descriptor the host passes to a decoder without reading the content.
package enum DecoderInput: Sendable {
    /// A local file.
    case file(path: String)
    /// An open local file, which stays open.
    case open(OwnedDescriptor)
    /// The encoded bytes themselves, in sealed memory.
    case memory(SealedMemory)

    /// Opens the input for a decoder.
    ///
    /// - Throws: `inputUnreadable`, or `invalidArgument` for a folder.
    package func open() throws(AnalysisFailure) -> OwnedDescriptor {
        switch self {
        case .memory(let memory): return memory.descriptor
        case .open(let descriptor): return descriptor
        case .file(let path): return try OwnedDescriptor.openRegularFile(at: path)
        }
    }
}

/// Decodes pictures in decoder processes.
package struct ImageDecodingService: Sendable {
    private let pool: HelperPool

    package init(pool: HelperPool) {
        self.pool = pool
    }

    /// The name of the decoder's executable.
    package static let executableName = HelperKind.imageDecoder.executableName

    /// Decodes a picture.
    ///
    /// - Parameters:
    ///   - makeInput: returns the input; it is called when a decoder is free, so waiting requests hold no descriptor.
    ///   - request: the limits, the size below which the picture is not reduced, and whether to find test patterns.
    /// - Throws: `AnalysisFailure` of every code that media can cause, `DecodingPostponed` or `CancellationError`.
    package func decode(
        _ makeInput: @escaping @Sendable () throws -> DecoderInput, _ request: ImageRequest,
        urgency: DecodingUrgency = .patient
    ) async throws -> FileAnswer<DecodedPicture> {
        try await pool.perform(
            .decodeImage(request), timeLimit: request.limits.maximumDecodingTime, urgency: urgency
        ) {
            try makeInput().open()
        } checking: { answer in
            switch answer.reply {
            case .image(let image): return .value(try DecodedPicture(image, answer.memory, answering: request))
            case .content(let content): return .content(content)
            case .failure(let failure): throw AnalysisFailure(failure)
            default: throw HelperLie()
            }
        }
    }

    /// Finds the test patterns in pixels that the app has supplied.
    package func testPatterns(in picture: SealedPicture, limits: AnalysisLimits) async throws -> Set<ContentType> {
        try await pool.perform(.findTestPatterns(picture.layout), timeLimit: limits.maximumDecodingTime) {
            picture.memory.descriptor
        } checking: { answer in
            switch answer.reply {
            case .testPatterns(let patterns): return Set(patterns)
            case .failure(let failure): throw AnalysisFailure(failure)
            default: throw HelperLie()
            }
        }
    }
}
