// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
package import AnalysisEngine
package import HelperHost
internal import HelperProtocol

extension MediaEngine {
    /// Analyses a frame of a live stream.
    ///
    /// - Parameter isSecondLook: whether the frame has been judged, and is searched for pictures inside it now.
    /// - Throws: `AnalysisFailure` or `CancellationError`; a frame with a failed step is never judged harmless.
    package func analyzeFrame(
        _ content: LiveContent, _ request: AnalysisRequest, isSecondLook: Bool = false
    ) async throws -> StreamFinding {
        try request.validate()
        switch content {
        case .pixels(let pixels): return try await finding(in: pixels, request, isSecondLook)
        case .views(let picture):
            guard !picture.isDamaged else {
                throw AnalysisFailure(.malformedMedia, "A frame is damaged, so programs may show it differently.")
            }
            return try await finding(in: picture.views, picture.testPatterns, request, isSecondLook)
        }
    }

    /// Decodes a video file, and passes on each frame that may show something new, with its time.
    ///
    /// - Parameter body: takes a frame; it may wait until the frame is due.
    /// - Throws: `AnalysisFailure`, `CancellationError`, or an error of the closure.
    package func playFrames(
        _ request: AnalysisRequest, _ makeInput: @escaping @Sendable () throws -> DecoderInput,
        _ body: @escaping @Sendable (DecodedPicture, Duration) async throws -> Void
    ) async throws {
        try request.validate()
        let answer = try await openVideo(makeInput) {
            var media = request.openRequest(for: try await self.loader.prepare(), isVideo: true, sequence: nil)
            // Every change is passed on, and a frame at least four times a second.
            media.preset = .protective
            return media
        } _: { media in
            // Tracks are played one after the other. Played at once, the frames of the second would be late.
            var begin = Duration.zero
            for index in 0..<media.trackCount {
                _ = try await media.openTrack(index)
                var isOver = false
                var last = Duration.zero
                while !isOver {
                    switch try await media.next() {
                    case .frame(let picture, let start, _):
                        last = max(last, start)
                        try await body(picture, begin + max(.zero, start))
                    case .end(let end):
                        try MediaAnalyzer.check(end)
                        isOver = true
                    case .progress, .repetition: break
                    }
                }
                begin += last
            }
        }
        if case .content(.pictures) = answer { throw Self.isNoVideo }
        _ = try answer.get()
    }

    private static let isNoVideo = AnalysisFailure(
        .unsupportedMedia, "The file has pictures, and no video to play. Analyse it as a file instead.")

    private func finding(
        in pixels: VideoPixels, _ request: AnalysisRequest, _ isSecondLook: Bool
    ) async throws -> StreamFinding {
        let shown = pixels.shownSize
        guard max(shown.width, shown.height) <= request.limits.maximumEdge,
            shown.width * shown.height <= request.limits.maximumPixelCount
        else {
            throw AnalysisFailure(
                .limitExceeded,
                "A frame has \(shown.width) × \(shown.height) pixels; the limits are an edge of"
                    + " \(request.limits.maximumEdge) and \(request.limits.maximumPixelCount) pixels. Pass smaller frames."
            )
        }
        let requirements = try await loader.prepare()
        // The pictures inside a frame need more pixels than the frame.
        let factor = isSecondLook ? Self.secondLookDetail : 1
        let views = try pixels.reducedViews(
            minimumWidth: factor * requirements.minimumWidth, minimumHeight: factor * requirements.minimumHeight)
        let findsPatterns = request.findsTestPatterns && !isSecondLook
        let patterns = findsPatterns ? try await testPatterns(in: pixels, request) : []
        return try await finding(in: views, patterns, request, isSecondLook)
    }

    private func finding(
        in views: [PixelImage], _ patterns: Set<ContentType>, _ request: AnalysisRequest, _ isSecondLook: Bool
    ) async throws -> StreamFinding {
        let model = try await loader.model(for: request)
        let options = isSecondLook ? request.scoring(isFrame: true) : ScoringOptions()
        let scores = try await model.scores(of: views, options).views
        let verdict = try PictureVerdict(views: scores, testPatterns: patterns, policy: request.policy)
        let isStrong = !patterns.isEmpty || scores.joined().contains { $0.value >= $0.thresholds.strong }
        return StreamFinding(
            level: !verdict.isSensitive ? .harmless : isStrong ? .strong : .suspected, types: verdict.detectedTypes,
            score: verdict.score, modelName: model.name, policy: request.policy)
    }

    /// Searches a frame for test patterns, at a size at which a code of a fifth of the shorter side can be read.
    private func testPatterns(in pixels: VideoPixels, _ request: AnalysisRequest) async throws -> Set<ContentType> {
        let views = try pixels.reducedViews(minimumWidth: Self.patternEdge, minimumHeight: Self.patternEdge)
        guard let view = views.first,
            let layout = PixelLayout(
                width: view.width, height: view.height, bytesPerRow: view.bytesPerRow, format: .rgb24)
        else { throw AnalysisFailure(.internalFailure, "A frame has no view. Please report it.") }
        let memory = try unsafe SealedMemory.filled(byteCount: layout.byteCount) { target in
            unsafe view.storage.withBytes { unsafe target.copyMemory(from: $0) }
        }
        return try await pictureDecoding.testPatterns(
            in: SealedPicture(layout: layout, memory: memory), limits: request.limits)
    }

    /// The least edge of a picture that is searched for test patterns, in pixels.
    private static let patternEdge = 1024
    /// The number of pixels for each pixel that the model needs, along each side, in a second look.
    private static let secondLookDetail = 4
}
