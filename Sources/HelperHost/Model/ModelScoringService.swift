// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import FileAccess
internal import HelperProtocol

/// Scores pixels in processes that hold the model.
///
/// The first process has one connection and up to two cores, because OpenVINO needs time to prepare each thread.
/// Most apps have single pictures, and one connection keeps up with the decoding of photographs. After pictures
/// have waited for two seconds in total, a second process with a connection for each core takes over.
package struct ModelScoringService: Sendable {
    private let first: HelperPool
    private let full: HelperPool?
    private let outputCount: Int
    private let labelCount: Int
    private let growth: ModelGrowth

    /// - Parameters:
    ///   - first: the pool whose process has one connection.
    ///   - full: the pool whose process has one connection for each core, or nil on a single core.
    ///   - outputCount: the number of scores of a view.
    ///   - labelCount: the number of labels; 0 for a model without labels.
    package init(first: HelperPool, full: HelperPool?, outputCount: Int, labelCount: Int = 0) {
        self.first = first
        self.full = full
        self.outputCount = outputCount
        self.labelCount = labelCount
        growth = ModelGrowth(canGrow: full != nil)
    }

    /// Starts the first process before the first picture.
    ///
    /// - Throws: `modelUnavailable` with the remedy.
    package func warmUp() async throws { try await first.warmUp() }

    /// Whether requests go to the second process, which has a connection for each core.
    package var isFull: Bool { growth.isFull }

    /// The facts that are read about a picture beside the scores of its outputs.
    package struct Details: Sendable {
        /// Whether the scores of all labels are read.
        package var includesLabels = false
        /// Whether the scores of the places are read.
        package var includesPlaces = false
        /// The search for pictures inside the picture; nil for none.
        package var search: InnerPictureSearch?

        package init(includesLabels: Bool = false, includesPlaces: Bool = false, search: InnerPictureSearch? = nil) {
            (self.includesLabels, self.includesPlaces, self.search) = (includesLabels, includesPlaces, search)
        }

        /// The search of the request, of which the map is a part.
        fileprivate var requestedSearch: InnerPictureSearch? {
            search ?? (includesPlaces ? InnerPictureSearch(warmth: 1, count: 0) : nil)
        }
    }

    /// The scores of one picture, as the model gives them.
    package struct Scores: Sendable {
        /// For each view, the score of each output.
        package let views: [[Float]]
        /// The score of each label in the view with the highest score of an output; empty if they were not requested.
        package let labels: [Float]
        /// For each view, the pictures inside it; empty if they were not searched.
        package var innerPictures: [[InnerPicture]] = []
        /// The scores of the places in the view with the highest score; nil if they were not requested or there is no map.
        package var placeScores: PlaceScores?
    }

    /// Scores the views of one picture, which must have the same size.
    ///
    /// - Throws: `modelUnavailable`, `timedOut`, or `CancellationError`.
    package func scores(
        of views: [PixelImage], _ details: Details = Details()
    ) async throws -> Scores {
        guard let first = views.first, views.count <= Int(UInt8.max),
            views.allSatisfy({
                $0.width == first.width && $0.height == first.height && $0.originalWidth == first.originalWidth
                    && $0.originalHeight == first.originalHeight
            })
        else { throw AnalysisFailure(.internalFailure, "The views of a picture have different sizes.") }
        let request = ModelRequest.scoreViews(
            ViewsDescription(
                pixels: PixelDescription(
                    width: UInt32(clamping: first.width), height: UInt32(clamping: first.height),
                    bytesPerRow: UInt32(clamping: first.width * PixelImage.bytesPerPixel)),
                count: UInt8(views.count), originalWidth: UInt32(clamping: first.originalWidth),
                originalHeight: UInt32(clamping: first.originalHeight)), details.requestedSearch)
        let viewCount = views.count
        return try await exchange(request, details, opening: nil, views: views) { $0 == viewCount }
    }

    /// Scores the views of an app's picture.
    ///
    /// - Throws: as `scores(of:)` does, and `limitExceeded` if the process lacks memory for the picture.
    package func scores(
        of picture: SealedPicture, _ details: Details = Details()
    ) async throws -> Scores {
        try await exchange(
            .scorePixels(picture.layout, details.requestedSearch), details, opening: { picture.memory.descriptor },
            views: []
        ) { (1...2).contains($0) }
    }

    private func exchange(
        _ request: ModelRequest, _ details: Details,
        opening open: (@Sendable () throws -> OwnedDescriptor)?,
        views: [PixelImage], expecting isViewCount: @escaping @Sendable (Int) -> Bool
    ) async throws -> Scores {
        let arrival = ContinuousClock.now
        let usesFull = growth.arrived()
        let pool = usesFull ? full ?? first : first
        defer { growth.left(usesFull) }
        do {
            return try await exchange(
                request, details, on: pool, arrival, opening: open, views: views, expecting: isViewCount)
        } catch let failure as AnalysisFailure where usesFull && failure.code == .modelUnavailable {
            // Later requests go to the first process again, because the process for all cores cannot be used.
            growth.ended(false)
            throw failure
        }
    }

    private func exchange(
        _ request: ModelRequest, _ details: Details, on pool: HelperPool, _ arrival: ContinuousClock.Instant,
        opening open: (@Sendable () throws -> OwnedDescriptor)?, views: [PixelImage],
        expecting isViewCount: @escaping @Sendable (Int) -> Bool
    ) async throws -> Scores {
        let limits = ConversationLimits(answer: Self.timeLimit, total: Self.timeLimit)
        return try await pool.converse(limits, opening: open) { conversation in
            if growth.wantsMore(afterWaiting: arrival.duration(to: .now)) { grow() }
            let answer = try await conversation.exchange(request, attachesInput: open != nil, views: views)
            switch answer.reply {
            case .scores(let scores):
                guard isViewCount(scores.count), scores.allSatisfy({ $0.count == outputCount }) else {
                    throw HelperLie()
                }
                let highest = scores.indices.max { (scores[$0].max() ?? 0) < (scores[$1].max() ?? 0) } ?? 0
                var result = Scores(
                    views: scores,
                    labels: details.includesLabels ? try await labels(ofView: highest, conversation) : [])
                for view in scores.indices where details.search != nil {
                    result.innerPictures.append(try await innerPictures(ofView: view, conversation))
                }
                if details.includesPlaces {
                    result.placeScores = try await placeScores(ofView: highest, conversation)
                }
                return result
            case .modelFailure(let failure): throw AnalysisFailure(failure)
            default: throw HelperLie()
            }
        }
    }

    /// Reads the pictures inside a view of the picture that the process has just scored.
    private func innerPictures(
        ofView view: Int, _ conversation: HelperConversation
    ) async throws -> [InnerPicture] {
        let request = ModelRequest.innerPictures(view: UInt8(clamping: view))
        guard case .innerPictures(let pictures) = try await conversation.exchange(request).reply,
            pictures.allSatisfy({ picture in
                picture.scores.count == outputCount && [0, outputCount].contains(picture.mapScores.count)
            })
        else { throw HelperLie() }
        return pictures
    }

    /// Reads the scores of the places in a view of the picture that the process has just scored.
    private func placeScores(ofView view: Int, _ conversation: HelperConversation) async throws -> PlaceScores? {
        let request = ModelRequest.placeScores(view: UInt8(clamping: view))
        guard case .placeScores(let scores) = try await conversation.exchange(request).reply else { throw HelperLie() }
        return scores
    }

    /// Reads the scores of all labels in a view of the picture that the process has just scored.
    private func labels(ofView view: Int, _ conversation: HelperConversation) async throws -> [Float] {
        var labels: [Float] = []
        while labels.count < labelCount {
            let request = ModelRequest.labelScores(view: UInt8(clamping: view), first: UInt32(labels.count))
            guard case .labelScores(let scores) = try await conversation.exchange(request).reply, !scores.isEmpty,
                scores.count <= labelCount - labels.count
            else { throw HelperLie() }
            guard scores.allSatisfy({ $0 >= 0 && $0 <= 1 }) else {
                throw AnalysisFailure(
                    .modelUnavailable,
                    "The model gave a label a score that is not between 0 and 1, so its labels mean nothing. Use a model"
                        + " whose labels have probabilities.")
            }
            labels += scores
        }
        return labels
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
