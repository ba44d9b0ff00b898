// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import FileAccess
package import HelperProtocol

/// Scores pixels in processes that hold the model.
///
/// The first process has one connection and up to two cores, because OpenVINO needs time to prepare each thread.
/// Most apps have single pictures, and one connection keeps up with the decoding of photographs. After pictures
/// have waited for two seconds in total, a second process with a connection for each core takes over.
package struct ModelScoringService: Sendable {
    private let first: HelperPool
    private let full: HelperPool?
    private let outputCount: Int
    private let growth: ModelGrowth

    /// - Parameters:
    ///   - first: the pool whose process has one connection.
    ///   - full: the pool whose process has one connection for each core, or nil on a single core.
    ///   - outputCount: the number of scores of a view.
    package init(first: HelperPool, full: HelperPool?, outputCount: Int) {
        self.first = first
        self.full = full
        self.outputCount = outputCount
        growth = ModelGrowth(canGrow: full != nil)
    }

    /// Starts the first process before the first picture.
    ///
    /// - Throws: `modelUnavailable` with the remedy.
    package func warmUp() async throws { try await first.warmUp() }

    /// Whether requests go to the second process, which has a connection for each core.
    package var isFull: Bool { growth.isFull }

    /// Scores the views of one picture, which must have the same size.
    ///
    /// - Returns: for each view, the score of each output, as the model gives it.
    /// - Throws: `modelUnavailable`, `timedOut`, or `CancellationError`.
    package func scores(of views: [PixelImage]) async throws -> [[Float]] {
        guard let first = views.first, views.count <= Int(UInt8.max),
            views.allSatisfy({
                $0.width == first.width && $0.height == first.height && $0.originalWidth == first.originalWidth
                    && $0.originalHeight == first.originalHeight
            })
        else { throw AnalysisFailure(.internalFailure, "The views of a picture have different sizes.") }
        let request = HelperRequest.scoreViews(
            ViewsDescription(
                pixels: PixelDescription(
                    width: UInt32(clamping: first.width), height: UInt32(clamping: first.height),
                    bytesPerRow: UInt32(clamping: first.width * PixelImage.bytesPerPixel)),
                count: UInt8(views.count), originalWidth: UInt32(clamping: first.originalWidth),
                originalHeight: UInt32(clamping: first.originalHeight)))
        let viewCount = views.count
        return try await exchange(request, opening: nil, views: views) { $0 == viewCount }
    }

    /// Scores the views of an app's picture.
    ///
    /// - Throws: as `scores(of:)` does, and `limitExceeded` if the process lacks memory for the picture.
    package func scores(of picture: SealedPicture) async throws -> [[Float]] {
        try await exchange(.scorePixels(picture.layout), opening: { picture.memory.descriptor }, views: []) {
            (1...2).contains($0)
        }
    }

    private func exchange(
        _ request: HelperRequest, opening open: (@Sendable () throws -> OwnedDescriptor)?, views: [PixelImage],
        expecting isViewCount: @escaping @Sendable (Int) -> Bool
    ) async throws -> [[Float]] {
        let arrival = ContinuousClock.now
        let usesFull = growth.arrived()
        let pool = usesFull ? full ?? first : first
        defer { growth.left(usesFull) }
        do {
            return try await exchange(request, on: pool, arrival, opening: open, views: views, expecting: isViewCount)
        } catch let failure as AnalysisFailure where usesFull && failure.code == .modelUnavailable {
            // Later requests go to the first process again, because the process for all cores cannot be used.
            growth.ended(false)
            throw failure
        }
    }

    private func exchange(
        _ request: HelperRequest, on pool: HelperPool, _ arrival: ContinuousClock.Instant,
        opening open: (@Sendable () throws -> OwnedDescriptor)?, views: [PixelImage],
        expecting isViewCount: @escaping @Sendable (Int) -> Bool
    ) async throws -> [[Float]] {
        let limits = ConversationLimits(answer: Self.timeLimit, total: Self.timeLimit)
        return try await pool.converse(limits, opening: open) { conversation in
            if growth.wantsMore(afterWaiting: arrival.duration(to: .now)) { grow() }
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

    /// Starts the process for all cores beside the first process.
    ///
    /// If the start fails, the first process continues alone, and scores are slower.
    private func grow() {
        guard let full else { return }
        let (first, growth) = (first, growth)
        Task {
            let hasStarted = (try? await full.warmUp()) != nil
            growth.ended(hasStarted)
            guard hasStarted else { return }
            // Each process holds the weights, so the first process ends as soon as it has no work.
            while growth.isFull, !growth.isFirstDone { try await Task.sleep(for: .milliseconds(100)) }
            await first.retireAll()
        }
    }

    /// The time limit of a reply, far more than the slowest machine needs for the views of one picture.
    private static let timeLimit = Duration.seconds(60)
}

/// Pixels of an app in sealed memory, which no process can change.
package struct SealedPicture: Sendable {
    package let layout: PixelLayout
    package let memory: SealedMemory

    /// - Throws: `internalFailure` if the memory is too small for the layout.
    package init(layout: PixelLayout, memory: SealedMemory) throws(AnalysisFailure) {
        guard layout.byteCount <= memory.byteCount else {
            throw AnalysisFailure(.internalFailure, "The dimensions of a picture do not fit its memory.")
        }
        self.layout = layout
        self.memory = memory
    }
}
