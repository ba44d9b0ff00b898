// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
package import HelperProtocol

/// The only pipeline from media to verdict: decoder process, views, model, scores, verdict.
///
/// Any number of calls may run at once. A bounded number of calls hold memory, and the other calls wait in a queue.
package final class MediaEngine: Sendable {
    package let loader: ModelLoader
    package let pictureDecoding: MediaDecodingService
    let sequenceDecoding: MediaDecodingService
    package let videoDecoding: MediaDecodingService
    /// The decoders of frames that an app takes at its own pace.
    let playbackDecoding: MediaDecodingService
    let videoPlaybackDecoding: MediaDecodingService
    let pictureEncoding: MediaEncodingService
    package let captureProgram: HelperLocator
    let concurrency: Int
    let pictureLanes: AnalysisLanes
    let sequenceLanes: AnalysisLanes
    let videoLanes: AnalysisLanes
    private let converters: ResourcePool<WorkerThread>

    /// - Parameters:
    ///   - pool: the decoders of pictures.
    ///   - sequencePool: the decoders of animations and pages, in a pool that no picture has to wait for.
    ///   - videoPool: the decoders of videos.
    ///   - playbackPool: the decoders of frames of animations that an app takes at its own pace.
    ///   - videoPlaybackPool: the decoders of frames of videos that an app takes at its own pace.
    ///   - encoderPool: the encoders of judged pictures.
    ///   - captureProgram: the place of the program that captures from PipeWire.
    ///   - concurrency: the number of pictures that are decoded or scored at once.
    package init(
        loader: ModelLoader, pool: HelperPool, sequencePool: HelperPool, videoPool: HelperPool,
        playbackPool: HelperPool,
        videoPlaybackPool: HelperPool, encoderPool: HelperPool,
        captureProgram: HelperLocator = .captureProgram(in: []), concurrency: Int
    ) {
        self.loader = loader
        self.captureProgram = captureProgram
        self.concurrency = concurrency
        pictureDecoding = MediaDecodingService(pool: pool, sequencePool: sequencePool)
        sequenceDecoding = MediaDecodingService(pool: sequencePool)
        videoDecoding = MediaDecodingService(pool: videoPool)
        playbackDecoding = MediaDecodingService(pool: playbackPool)
        videoPlaybackDecoding = MediaDecodingService(pool: videoPlaybackPool)
        pictureEncoding = MediaEncodingService(pool: encoderPool)
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

    /// Loads the model, so that the first frame of a stream does not wait for it.
    package func prepareForStreams() async { try? await requireModel() }

    /// Loads the model.
    ///
    /// - Throws: `AnalysisFailure` if the model cannot be used.
    package func requireModel() async throws { _ = try await loader.model() }

    /// Returns the largest number of decoders of a kind; at least two, so one remains while another is slow.
    package static func decoderCount(_ concurrency: Int) -> Int { max(2, concurrency) }

    func judge(_ picture: DecodedPicture, _ request: AnalysisRequest) async throws -> PictureAnalysis {
        let model = try await loader.model(for: request)
        let analysis = try verdict(
            try await model.scores(of: picture.views, request.scoring()), picture.testPatterns,
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
                return try await self.judge(try await thread.result(of: copyPixels), request)
            }
        }
    }

    /// Judges pixels in sealed memory, over white and over black if they have opacity.
    func judge(_ picture: SealedPicture, _ request: AnalysisRequest) async throws -> PictureAnalysis {
        let patterns =
            request.findsTestPatterns ? try await pictureDecoding.testPatterns(in: picture, limits: request.limits) : []
        let model = try await loader.model(for: request)
        let scores = try await model.scores(of: picture, request.scoring())
        return try verdict(scores, patterns, request, model.name)
    }

    /// Opens a picture file of any kind, when the call leaves the queue.
    ///
    /// - Parameters:
    ///   - picture: uses the only picture of the file, when the decoder is free again.
    ///   - sequence: uses the pictures of an animation or of pages while the file is open.
    /// - Returns: the value of one of the closures, or the content of a file that is no picture.
    func openPictures<Value: Sendable>(
        _ makeInput: @escaping @Sendable () throws -> DecoderInput,
        requesting makeRequest: @escaping @Sendable () async throws -> OpenRequest,
        picture: @Sendable (DecodedPicture) async throws -> Value,
        sequence: @escaping @Sendable (OpenMedia) async throws -> Value
    ) async throws -> FileAnswer<Value> {
        @Sendable func open(
            _ service: MediaDecodingService, _ urgency: DecodingUrgency
        ) async throws -> FileAnswer<Value> {
            switch try await service.open(makeInput, try await makeRequest(), urgency: urgency, sequence) {
            case .content(let content): return .content(content)
            case .value(.picture(let decoded)): return .value(try await picture(decoded))
            case .value(.sequence(let value)): return .value(value)
            }
        }
        do {
            return try await pictureLanes.run { urgency in try await open(self.pictureDecoding, urgency) }
        } catch let wait as SequencesWait {
            return try await sequenceLanes.run { urgency in
                try await open(self.sequenceDecoding, wait.urgency ?? urgency)
            }
        }
    }

    /// Opens a video, or the sequence of a picture file that the request names, when the call leaves the queue.
    package func openVideo<Value: Sendable>(
        _ makeInput: @escaping @Sendable () throws -> DecoderInput,
        requesting makeRequest: @escaping @Sendable () async throws -> OpenRequest,
        _ body: @escaping @Sendable (OpenMedia) async throws -> Value
    ) async throws -> FileAnswer<Value> {
        try await videoLanes.run { urgency in
            switch try await self.videoDecoding.open(makeInput, try await makeRequest(), urgency: urgency, body) {
            case .content(let content): return .content(content)
            case .value(.sequence(let value)): return .value(value)
            case .value(.picture): throw AnalysisFailure(.pictures)
            }
        }
    }

    /// Uses a file as pictures or as a video, whichever it is.
    ///
    /// - Returns: the value, or the content of a file that is empty or in no known format.
    static func openAny<Value: Sendable>(
        videoFirst: Bool, pictures: () async throws -> FileAnswer<Value>, video: () async throws -> FileAnswer<Value>
    ) async throws -> FileAnswer<Value> {
        var answer = try await videoFirst ? video() : pictures()
        if case .content(let content) = answer, content == (videoFirst ? .pictures : .video) {
            answer = try await videoFirst ? pictures() : video()
        }
        // An answer that names the decoder that was asked already is impossible.
        if case .content(let content) = answer, content.isMedia { throw AnalysisFailure(content) }
        return answer
    }

    func analyzer(
        _ request: AnalysisRequest, mayNeedVideoDecoder: Bool = false, mayMissPictures: Bool = false
    ) async throws -> MediaAnalyzer {
        MediaAnalyzer(
            model: try await loader.model(for: request), policy: request.policy, options: request.options,
            concurrency: concurrency, longestStall: request.limits.maximumDecodingTime,
            mayNeedVideoDecoder: mayNeedVideoDecoder, mayMissPictures: mayMissPictures)
    }

    private func verdict(
        _ scores: ModelScores, _ patterns: Set<ContentType>, _ request: AnalysisRequest, _ modelName: String,
        thumbnail: PixelSamples? = nil
    ) throws -> PictureAnalysis {
        try Task.checkCancellation()
        return PictureAnalysis(
            verdict: try PictureVerdict(views: scores.views, testPatterns: patterns, policy: request.policy),
            modelName: modelName, policy: request.policy, thumbnail: thumbnail,
            labels: scores.labels.replaced(byTestPatterns: patterns), regions: scores.regions, places: scores.places)
    }
}
