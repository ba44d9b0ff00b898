// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
internal import HelperProtocol

/// Gives out judged frames one after the other, from the first one on.
///
/// Frames that were not kept are decoded again. A decoder that nobody asks for a while is given back, and the next frame
/// then costs the decoding of all frames before it.
package actor JudgedFrameReader {
    private let engine: MediaEngine
    private let request: AnalysisRequest
    private let maximumEdge: Int?
    private let frames: JudgedFrames
    private let makeInput: @Sendable () throws -> DecoderInput
    /// The number of the next frame.
    private var position = 0
    private var opened: Opened?
    private var latestUse = ContinuousClock.now
    /// Whether a caller waits for a frame; others wait for their turn.
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watch: Task<Void, Never>?

    /// An open file, and the signal that closes it.
    private struct Opened: Sendable {
        let frames: OpenWholeFrames
        let release: AsyncStream<Void>.Continuation
    }

    /// The time without a request after which the decoder is given back.
    private let longestPause: Duration

    package init(
        _ frames: JudgedFrames, _ request: AnalysisRequest, maximumEdge: Int?, engine: MediaEngine,
        longestPause: Duration = .seconds(3), _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) {
        self.longestPause = longestPause
        (self.frames, self.request, self.maximumEdge) = (frames, request, maximumEdge)
        (self.engine, self.makeInput) = (engine, makeInput)
    }

    deinit {
        watch?.cancel()
        opened?.release.finish()
    }

    /// Returns the next frame; nil behind the last one.
    ///
    /// - Throws: `AnalysisFailure` or `CancellationError`; `sensitiveMedia` if the file has changed and shows a sensitive
    ///   frame.
    package func next() async throws -> WholeFrame? {
        while isBusy { await withCheckedContinuation { waiting.append($0) } }
        isBusy = true
        defer {
            (isBusy, latestUse) = (false, .now)
            if !waiting.isEmpty { waiting.removeFirst().resume() }
        }
        return try await nextInTurn()
    }

    private func nextInTurn() async throws -> WholeFrame? {
        try Task.checkCancellation()
        guard position < frames.count else { return nil }
        if let kept = frames.kept {
            position += 1
            return kept[position - 1]
        }
        do {
            return try await decodeNext()
        } catch let failure as AnalysisFailure {
            close()
            throw failure
        } catch {
            // The decoder was replaced; the frames before this one are passed over.
            close()
            try Task.checkCancellation()
            do {
                return try await decodeNext()
            } catch {
                close()
                if let failure = error as? AnalysisFailure { throw failure }
                try Task.checkCancellation()
                throw AnalysisFailure(
                    .decoderFailed, "The decoder stopped twice. Judge the file again.", cause: error)
            }
        }
    }

    private func decodeNext() async throws -> WholeFrame? {
        let source: OpenWholeFrames
        if let opened {
            source = opened.frames
        } else {
            source = try await open()
            for _ in 0..<position where try await !source.passOver() { return nil }
        }
        watchForPause()
        guard case .frame(let frame) = try await source.next() else {
            // The file has become shorter.
            position = frames.count
            close()
            return nil
        }
        try await check(frame.picture.picture)
        position += 1
        if position == frames.count { close() }
        return frame
    }

    /// Judges a frame whose pixels are not those of the first time: the file has changed, or is decoded differently.
    private func check(_ picture: SealedPicture) async throws {
        guard try !picture.has(frames.digests[position]), !frames.analysis.isSensitive else { return }
        let analysis = try await engine.judge(picture, request)
        guard !analysis.verdict.isSensitive else {
            throw AnalysisFailure(
                .sensitiveMedia, "The file has changed since it was judged, and is sensitive now. Judge it again.")
        }
    }

    private func open() async throws -> OpenWholeFrames {
        let (handover, give) = AsyncThrowingStream.makeStream(of: OpenWholeFrames.self)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        Task { [engine, request, maximumEdge, makeInput, place = frames.place] in
            do {
                try await engine.holdFrames(request, maximumEdge: maximumEdge, place, makeInput) { frames in
                    give.yield(frames)
                    for await _ in released {}
                }
                give.finish()
            } catch {
                give.finish(throwing: error)
            }
        }
        for try await frames in handover {
            opened = Opened(frames: frames, release: release)
            return frames
        }
        release.finish()
        // A cancelled caller gets no frames from the stream.
        try Task.checkCancellation()
        throw AnalysisFailure(.decoderFailed, "The file could not be opened again. Judge it again.")
    }

    private func close() {
        opened?.release.finish()
        opened = nil
    }

    /// Gives the decoder back after a pause.
    private func watchForPause() {
        guard watch == nil else { return }
        watch = Task { [weak self, longestPause] in
            repeat {
                do { try await Task.sleep(for: longestPause / 2) } catch { return }
            } while await self?.closeIfPaused() == false
        }
    }

    /// - Returns: whether no decoder is left to watch.
    private func closeIfPaused() -> Bool {
        if isBusy || opened != nil && latestUse.duration(to: .now) < longestPause { return false }
        close()
        watch = nil
        return true
    }
}
