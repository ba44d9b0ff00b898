// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import DecoderProtocol

/// Turns pictures into pixels by way of decoder processes.
package struct ImageDecodingService: Sendable {
    private let pool: DecoderPool

    package init(pool: DecoderPool) {
        self.pool = pool
    }

    /// The name of the decoder's executable.
    package static let executableName = "sca-image-decoder"

    /// Decodes a picture.
    ///
    /// - Parameters:
    ///   - makeInput: gives the input when a decoder is free for it.
    ///   - minimumWidth: the width in pixels below which the picture must not be reduced.
    ///   - minimumHeight: the same for the height.
    ///   - findsTestPatterns: whether to look for the test pattern.
    /// - Throws: `AnalysisFailure` of every code that media can cause, `DecodingPostponed` or `CancellationError`.
    package func decode(
        _ makeInput: @escaping @Sendable () throws -> DecoderInput, minimumWidth: Int, minimumHeight: Int,
        findsTestPatterns: Bool, limits: AnalysisLimits, urgency: DecodingUrgency = .patient
    ) async throws -> DecodedPicture {
        let request = ImageRequest(
            minimumWidth: minimumWidth, minimumHeight: minimumHeight, findsTestPatterns: findsTestPatterns,
            limits: limits)
        return try await pool.perform(
            .decodeImage(request), timeLimit: limits.maximumDecodingTime, urgency: urgency
        ) {
            try makeInput().open()
        } checking: { answer in
            switch answer.reply {
            case .image(let image): return try DecodedPicture(image, answer.memory, answering: request)
            case .failure(let failure): throw AnalysisFailure(failure)
            default: throw DecoderLie()
            }
        }
    }

    /// Looks for the test pattern in pixels of the app.
    package func testPatterns(in image: PixelImage, limits: AnalysisLimits) async throws -> Set<ContentType> {
        let rowBytes = image.width * PixelImage.bytesPerPixel
        let description = PixelDescription(
            width: UInt32(clamping: image.width), height: UInt32(clamping: image.height),
            bytesPerRow: UInt32(clamping: rowBytes))
        return try await pool.perform(.findTestPatterns(description), timeLimit: limits.maximumDecodingTime) {
            let memory = try unsafe SealedMemory.filled(byteCount: rowBytes * image.height) { target in
                unsafe image.storage.withBytes { source in
                    for row in 0..<image.height {
                        let start = image.offset + row * image.bytesPerRow
                        unsafe UnsafeMutableRawBufferPointer(rebasing: target[(row * rowBytes)...])
                            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<(start + rowBytes)]))
                    }
                }
            }
            return memory.descriptor
        } checking: { answer in
            switch answer.reply {
            case .testPatterns(let patterns): return Set(patterns)
            case .failure(let failure): throw AnalysisFailure(failure)
            default: throw DecoderLie()
            }
        }
    }
}
