// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperProtocol

/// Turns pixels into scores by way of the model's process.
package struct ModelScoringService: Sendable {
    private let pool: HelperPool
    private let outputCount: Int

    /// - Parameter outputCount: the number of scores that the model gives to a view.
    package init(pool: HelperPool, outputCount: Int) {
        self.pool = pool
        self.outputCount = outputCount
    }

    /// Scores the views of one picture, which have one size.
    ///
    /// - Returns: for each view, the number of each output, as the model gives it.
    /// - Throws: `modelUnavailable`, `timedOut`, or `CancellationError`.
    package func scores(of views: [PixelImage]) async throws -> [[Float]] {
        guard let first = views.first, views.count <= Int(UInt8.max),
            views.allSatisfy({ $0.width == first.width && $0.height == first.height && $0.isReduced == first.isReduced }
            )
        else { throw AnalysisFailure(.internalFailure, "The views of a picture have different sizes.") }
        let request = HelperRequest.scoreViews(
            ViewsDescription(
                pixels: PixelDescription(
                    width: UInt32(clamping: first.width), height: UInt32(clamping: first.height),
                    bytesPerRow: UInt32(clamping: first.width * PixelImage.bytesPerPixel)),
                count: UInt8(views.count), isReduced: first.isReduced))
        let viewCount = views.count
        return try await exchange(request, opening: nil, views: views) { $0 == viewCount }
    }

    /// Scores the views of a picture of an app.
    ///
    /// - Throws: as `scores(of:)` does, and `limitExceeded` where its process lacks memory for it.
    package func scores(of picture: SealedPicture) async throws -> [[Float]] {
        try await exchange(.scorePixels(picture.layout), opening: { picture.memory.descriptor }, views: []) {
            (1...2).contains($0)
        }
    }

    private func exchange(
        _ request: HelperRequest, opening open: (@Sendable () throws -> OwnedDescriptor)?, views: [PixelImage],
        expecting isViewCount: @escaping @Sendable (Int) -> Bool
    ) async throws -> [[Float]] {
        let limits = ConversationLimits(answer: Self.timeLimit, total: Self.timeLimit)
        return try await pool.converse(limits, opening: open) { conversation in
            let answer = try await conversation.exchange(request, attachesInput: open != nil, views: views)
            switch answer.reply {
            case .scores(let scores):
                guard isViewCount(scores.count), scores.allSatisfy({ $0.count == outputCount }) else {
                    throw HelperLie()
                }
                return scores
            case .modelFailure(let failure): throw AnalysisFailure(failure)
            default: throw HelperLie()
            }
        }
    }

    /// Far more than the slowest machine needs for the views of one picture.
    private static let timeLimit = Duration.seconds(60)
}

/// Pixels of an app in memory that nobody can change any more.
package struct SealedPicture: Sendable {
    package let layout: PixelLayout
    package let memory: SealedMemory

    /// - Throws: `internalFailure` where the memory is too small for the layout.
    package init(layout: PixelLayout, memory: SealedMemory) throws(AnalysisFailure) {
        guard layout.byteCount <= memory.byteCount else {
            throw AnalysisFailure(.internalFailure, "The dimensions of a picture do not fit its memory.")
        }
        self.layout = layout
        self.memory = memory
    }
}
