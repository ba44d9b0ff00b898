// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Decides which frames of a track are searched for pictures inside them, and keeps what is found for the shot.
///
/// The first frame of a shot is searched, and one every two seconds. Each other frame has the scores of the pictures that
/// the last search in its shot found.
struct ShotSearches {
    /// A frame that is being scored.
    struct Frame: Sendable {
        let number: Int
        /// The number of the frame whose search counts for this frame; its own number if it is searched itself.
        let search: Int

        var isSearched: Bool { number == search }
    }

    /// A frame whose scores are complete.
    typealias Complete = (number: Int, scored: FrameScorer.Scored)

    private var lastFrame: (signature: FrameSignature?, number: Int)?
    private var lastSearch: (number: Int, start: Duration)?
    /// Whether a shot has begun since the last search.
    private var hasNewShot = true
    /// For each search that has ended, the scores of the inner pictures.
    private var found: [Int: [[ContentScore]]] = [:]
    /// The scored frames that wait for the end of a search.
    private var waiting: [Int: [Complete]] = [:]

    /// Takes the next frame of the track that is scored.
    ///
    /// - Parameter signature: the grids by which cuts are found; nil if there is none, and the frame begins a shot.
    mutating func next(_ signature: FrameSignature?, at start: Duration) -> Frame {
        let number = (lastFrame?.number ?? 0) + 1
        let difference = signature.flatMap { own in lastFrame?.signature.flatMap { own.difference(to: $0) } }
        if difference?.isCut ?? true { hasNewShot = true }
        lastFrame = (signature, number)
        let age = lastSearch.map { start - $0.start } ?? Self.longestAge
        // Tracks may go back in time.
        guard age >= (hasNewShot ? Self.shortestAge : Self.longestAge) || age < .zero else {
            // Nothing is known about the inner pictures of a new shot.
            return Frame(number: number, search: hasNewShot ? Self.noSearch : lastSearch?.number ?? Self.noSearch)
        }
        hasNewShot = false
        lastSearch = (number, start)
        return Frame(number: number, search: number)
    }

    /// Takes the scores of a frame, and returns the frames whose scores are complete now.
    mutating func take(_ scored: FrameScorer.Scored, of frame: Frame) -> [Complete] {
        let complete = (number: frame.number, scored: scored)
        guard frame.search != Self.noSearch else { return [complete] }
        guard frame.isSearched else {
            if let inner = found[frame.search] { return [Self.joined(complete, inner)] }
            waiting[frame.search, default: []].append(complete)
            return []
        }
        found[frame.number] = scored.innerViews
        // Frames are scored in another order than they come, but not in a much different one.
        if found.count > Self.mostSearches, let oldest = found.keys.min() { found[oldest] = nil }
        return [complete] + (waiting.removeValue(forKey: frame.number) ?? []).map { Self.joined($0, scored.innerViews) }
    }

    private static func joined(_ complete: Complete, _ inner: [[ContentScore]]) -> Complete {
        var joined = complete
        joined.scored.views += inner
        return joined
    }

    /// The search of a frame in whose shot there was none.
    private static let noSearch = 0
    /// The shortest time between two searches.
    private static let shortestAge = Duration.milliseconds(250)
    /// The time after which a shot is searched again.
    private static let longestAge = Duration.seconds(2)
    /// The number of searches whose results are kept, more than the number of frames that are scored at once.
    private static let mostSearches = 64
}
