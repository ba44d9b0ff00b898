// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost
internal import HelperProtocol

/// The one pipeline from media to verdict: decoder process, views, model, scores, verdict.
///
/// Any number of calls may be under way; a bounded number of them hold memory, and the others wait their turn.
package final class AnalysisEngine: Sendable {
    private let loader: ModelLoader
    private let decoding: ImageDecodingService
    private let pictureMediaDecoding: MediaDecodingService
    private let videoDecoding: MediaDecodingService
    private let concurrency: Int
    private let pictureLanes: AnalysisLanes
    private let sequenceLanes: AnalysisLanes
    private let videoLanes: AnalysisLanes
    private let converters: ResourcePool<WorkerThread>

    /// - Parameters:
    ///   - pool: the decoders of pictures.
    ///   - sequencePool: the decoders of animations and pages; others, since pictures must not wait for these.
    ///   - videoPool: the decoders of videos.
    ///   - concurrency: the number of pictures that are decoded or scored at once.
    package init(
        loader: ModelLoader, pool: HelperPool, sequencePool: HelperPool, videoPool: HelperPool, concurrency: Int
    ) {
        self.loader = loader
        self.concurrency = concurrency
        decoding = ImageDecodingService(pool: pool)
        pictureMediaDecoding = MediaDecodingService(pool: sequencePool)
        videoDecoding = MediaDecodingService(pool: videoPool)
        // More than can be worked on, so that decoders need not wait for the model while it is loaded, nor for the next
        // file to be opened.
        let patientCount = Self.decoderCount(concurrency) - 1
        pictureLanes = AnalysisLanes(ordinaryCount: 4 * concurrency, patientCount: patientCount) { pool.isInTrouble }
        // Each has a decoder to itself from its start to its end; one more than decoders shows that somebody waits.
        sequenceLanes = AnalysisLanes(ordinaryCount: 2 * concurrency, patientCount: patientCount) {
            sequencePool.isInTrouble
        }
        // Of their own: a few long videos must not keep animations waiting.
        videoLanes = AnalysisLanes(ordinaryCount: 2 * concurrency, patientCount: patientCount) { videoPool.isInTrouble }
        // Pixels of an app are not reduced before they are held, so fewer pictures of that kind are held at once.
        converters = ResourcePool(
            maximumCount: concurrency, maximumWaitingCount: AnalysisLanes.maximumWaitingCount
        ) { WorkerThread() }
    }

    /// How many decoders of a kind there may be; two at least, so that one remains while another is slow.
    package static func decoderCount(_ concurrency: Int) -> Int { max(2, concurrency) }

    /// Analyses a file that holds one picture.
    ///
    /// - Parameter makeInput: makes the input when its turn has come, so that waiting calls hold little.
    /// - Throws: `AnalysisFailure` or `CancellationError`; never a verdict where a step has failed.
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
            try await model.scores(of: picture.views), picture.testPatterns, request, model.name,
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
    /// - Parameter copyPixels: copies the pixels, on a thread that may be kept busy, when their turn has come.
    /// - Throws: `AnalysisFailure` or `CancellationError`; never a verdict where a step has failed.
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
                return try self.verdict(try await model.scores(of: picture), patterns, request, model.name)
            }
        }
    }

    /// The files with several pictures, by who can show them.
    enum MediaRoute: Sendable {
        /// Animations and pages, as far as the decoder of pictures shows them.
        case pictures
        /// What of a picture file the decoder of videos has to show.
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

    /// Opens a file with any number of pictures, when its turn has come, with the decoder that can show them.
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

    /// Decodes one picture, when its turn has come, and needs no model for it.
    func withPicture<Value: Sendable>(
        _ request: ImageRequest, _ makeInput: @escaping @Sendable () throws -> DecoderInput,
        _ body: @escaping @Sendable (DecodedPicture) throws -> Value
    ) async throws -> FileAnswer<Value> {
        try await pictureLanes.run { urgency in
            try await self.decoding.decode(makeInput, request, urgency: urgency).map(body)
        }
    }

    private func verdict(
        _ scores: [[ContentScore]], _ patterns: Set<ContentType>, _ request: AnalysisRequest, _ modelName: String,
        thumbnail: PixelSamples? = nil
    ) throws -> PictureAnalysis {
        try Task.checkCancellation()
        return PictureAnalysis(
            verdict: try PictureVerdict(views: scores, testPatterns: patterns, policy: request.policy),
            modelName: modelName, policy: request.policy, thumbnail: thumbnail)
    }
}
