// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
internal import HelperProtocol

/// The only pipeline from media to verdict: decoder process, views, model, scores, verdict.
///
/// Any number of calls may run at once. A bounded number of calls hold memory, and the other calls wait in a queue.
package final class AnalysisEngine: Sendable {
    let loader: ModelLoader
    let decoding: ImageDecodingService
    private let pictureMediaDecoding: MediaDecodingService
    let videoDecoding: MediaDecodingService
    let captureProgram: HelperLocator
    private let concurrency: Int
    private let pictureLanes: AnalysisLanes
    private let sequenceLanes: AnalysisLanes
    private let videoLanes: AnalysisLanes
    private let converters: ResourcePool<WorkerThread>

    /// - Parameters:
    ///   - pool: the decoders of pictures.
    ///   - sequencePool: the decoders of animations and pages, in a pool that no picture has to wait for.
    ///   - videoPool: the decoders of videos.
    ///   - captureProgram: the place of the program that captures from PipeWire.
    ///   - concurrency: the number of pictures that are decoded or scored at once.
    package init(
        loader: ModelLoader, pool: HelperPool, sequencePool: HelperPool, videoPool: HelperPool,
        captureProgram: HelperLocator = .captureProgram(in: []), concurrency: Int
    ) {
        self.loader = loader
        self.captureProgram = captureProgram
        self.concurrency = concurrency
        decoding = ImageDecodingService(pool: pool)
        pictureMediaDecoding = MediaDecodingService(pool: sequencePool)
        videoDecoding = MediaDecodingService(pool: videoPool)
        // More files than decoders are admitted, so no decoder waits for the model to load or the next file to open.
        let patientCount = Self.decoderCount(concurrency) - 1
        pictureLanes = AnalysisLanes(ordinaryCount: 4 * concurrency, patientCount: patientCount) { pool.isInTrouble }
        // Each animation occupies a decoder to its end. With more files than decoders, the pool sees waiting files.
        sequenceLanes = AnalysisLanes(ordinaryCount: 2 * concurrency, patientCount: patientCount) {
            sequencePool.isInTrouble
        }
        // Videos have lanes of their own, because animations must not wait for a few long videos.
        videoLanes = AnalysisLanes(ordinaryCount: 2 * concurrency, patientCount: patientCount) { videoPool.isInTrouble }
        // Pixels of an app are held at their full size, so fewer such pictures are held at once.
        converters = ResourcePool(
            maximumCount: concurrency, maximumWaitingCount: AnalysisLanes.maximumWaitingCount
        ) { WorkerThread() }
    }

    /// Starts to load the model before the first analysis needs it; that analysis reports a failure.
    package func loadModelEarly() async {
        _ = try? await loader.prepare()
    }

    /// Returns the largest number of decoders of a kind; at least two, so one remains while another is slow.
    package static func decoderCount(_ concurrency: Int) -> Int { max(2, concurrency) }

    /// Analyses a file that holds one picture.
    ///
    /// - Parameter makeInput: makes the input when the call leaves the queue, so waiting calls hold little memory.
    /// - Throws: `AnalysisFailure` or `CancellationError`; a file with a failed step is never judged not sensitive.
    package func analyzePicture(
        _ request: AnalysisRequest, _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> FileAnswer<PictureAnalysis> {
        try request.validate()
        return try await pictureLanes.run { urgency in
            let requirements = try await self.loader.prepare()
            let answer = try await self.decoding.decode(
                makeInput, request.pictureRequest(for: requirements), urgency: urgency)
            switch answer {
            case .content(let content): return .content(content)
            case .value(let picture): return .value(try await self.judge(picture, request))
            }
        }
    }

    private func judge(_ picture: DecodedPicture, _ request: AnalysisRequest) async throws -> PictureAnalysis {
        let model = try await loader.model()
        let analysis = try verdict(
            try await model.scores(of: picture.views, readsLabels: request.options.keepsLabels), picture.testPatterns,
            request, model.name,
            thumbnail: request.options.keepsThumbnails ? picture.samples(.cover) : nil)
        guard !picture.isDamaged || analysis.verdict.isSensitive else {
            throw AnalysisFailure(
                .malformedMedia,
                "The picture is damaged: programs may show parts of it differently, and nothing sensitive was found in it."
                    + " Get it again, or open and save it with a program that repairs it.")
        }
        return analysis
    }

    /// Analyses pixels of the app.
    ///
    /// - Parameter copyPixels: copies the pixels when the call leaves the queue, on a thread that may block.
    /// - Throws: `AnalysisFailure` or `CancellationError`; a failed step never leads to a verdict.
    package func analyzePixels(
        _ request: AnalysisRequest, _ copyPixels: @escaping @Sendable () throws -> SealedPicture
    ) async throws -> PictureAnalysis {
        try request.validate()
        return try await AnalysisLanes.sayingHowManyWait {
            try await converters.withResource { thread in
                _ = try await self.loader.prepare()
                let picture = try await thread.result(of: copyPixels)
                let patterns =
                    request.findsTestPatterns
                    ? try await self.decoding.testPatterns(in: picture, limits: request.limits) : []
                let model = try await self.loader.model()
                let scores = try await model.scores(of: picture, readsLabels: request.options.keepsLabels)
                return try self.verdict(scores, patterns, request, model.name)
            }
        }
    }

    /// The routes for files with several pictures, by the decoder that can show the pictures.
    enum MediaRoute: Sendable {
        /// Animations and pages that the picture decoder can show.
        case pictures
        /// The pictures of a picture file that only the video decoder can show.
        case imageSequence
        case video
    }

    /// Analyses a file with any number of pictures.
    func analyze(
        _ kind: MediaRoute, _ request: AnalysisRequest,
        _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> FileAnswer<MediaAnalysis> {
        try request.validate()
        return try await withMedia(kind, makeInput) {
            request.mediaRequest(for: try await self.loader.prepare(), kind)
        } _: { media in
            let analyzer = MediaAnalyzer(
                model: try await self.loader.model(), policy: request.policy, options: request.options,
                concurrency: self.concurrency,
                longestStall: request.limits.maximumDecodingTime, mayNeedVideoDecoder: kind == .pictures)
            return try await analyzer.analyze(media)
        }
    }

    /// Opens a file with any number of pictures in the right decoder, when the call leaves the queue.
    func withMedia<Value: Sendable>(
        _ kind: MediaRoute, _ makeInput: @escaping @Sendable () throws -> DecoderInput,
        requesting makeRequest: @escaping @Sendable () async throws -> MediaRequest,
        _ body: @escaping @Sendable (OpenMedia) async throws -> Value
    ) async throws -> FileAnswer<Value> {
        let service = kind == .pictures ? pictureMediaDecoding : videoDecoding
        let lanes = kind == .pictures ? sequenceLanes : videoLanes
        return try await lanes.run { urgency in
            try await service.withMedia(makeInput, try await makeRequest(), urgency: urgency, body)
        }
    }

    /// Decodes one picture without the model, when the call leaves the queue.
    func withPicture<Value: Sendable>(
        _ request: ImageRequest, _ makeInput: @escaping @Sendable () throws -> DecoderInput,
        _ body: @escaping @Sendable (DecodedPicture) throws -> Value
    ) async throws -> FileAnswer<Value> {
        try await pictureLanes.run { urgency in
            try await self.decoding.decode(makeInput, request, urgency: urgency).map(body)
        }
    }

    private func verdict(
        _ scores: ModelScores, _ patterns: Set<ContentType>, _ request: AnalysisRequest, _ modelName: String,
        thumbnail: PixelSamples? = nil
    ) throws -> PictureAnalysis {
        try Task.checkCancellation()
        return PictureAnalysis(
            verdict: try PictureVerdict(views: scores.views, testPatterns: patterns, policy: request.policy),
            modelName: modelName, policy: request.policy, thumbnail: thumbnail,
            labels: scores.labels.replaced(byTestPatterns: patterns))
    }
}
