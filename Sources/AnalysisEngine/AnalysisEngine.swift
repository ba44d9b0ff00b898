// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost

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

    /// Analyses one picture.
    ///
    /// - Parameters:
    ///   - findsTestPatterns: whether test mode is on.
    ///   - input: what is to be analysed; it is made when its turn has come, so that waiting calls hold little.
    /// - Throws: `AnalysisFailure` or `CancellationError`; never a verdict where a step has failed.
    package func analyze(
        policy: AnalysisPolicy, limits: AnalysisLimits, findsTestPatterns: Bool,
        _ input: AnalysisInput, keepsThumbnail: Bool = false
    ) async throws -> PictureAnalysis {
        try Self.check(policy, limits)
        switch input {
        case .encoded(let make):
            return try await pictureLanes.run { urgency in
                let requirements = try await self.loader.prepare()
                let picture = try await self.decoding.decode(
                    make, minimumWidth: requirements.minimumWidth, minimumHeight: requirements.minimumHeight,
                    findsTestPatterns: findsTestPatterns, limits: limits, urgency: urgency)
                let analysis = try await self.judge(
                    picture.views, picture.testPatterns, policy,
                    thumbnail: keepsThumbnail ? picture.samples(.cover) : nil)
                guard !picture.isDamaged || analysis.verdict.isSensitive else {
                    throw AnalysisFailure(
                        .malformedMedia,
                        "The picture is damaged: parts of it are missing, and nothing sensitive was found in the rest."
                            + " Get it again, or open and save it with a program that repairs it.")
                }
                return analysis
            }
        case .pixels(let make):
            return try await AnalysisLanes.sayingHowManyWait {
                try await converters.withResource { thread in
                    _ = try await self.loader.prepare()
                    let picture = try await thread.result(of: make)
                    let patterns =
                        findsTestPatterns ? try await self.decoding.testPatterns(in: picture, limits: limits) : []
                    let model = try await self.loader.model()
                    return try self.verdict(try await model.scores(of: picture), patterns, policy, model.name)
                }
            }
        }
    }

    private static func check(_ policy: AnalysisPolicy, _ limits: AnalysisLimits) throws(AnalysisFailure) {
        guard policy != .disabled else {
            throw AnalysisFailure(.analysisDisabled, "No policy asks for analysis.")
        }
        try limits.validate()
    }

    /// The files with several pictures, by who can show them.
    enum SeveralPictures: Sendable {
        /// Animations and pages, as far as the decoder of pictures shows them.
        case pictures
        /// What of a picture file the decoder of videos has to show.
        case imageSequence
        case video
    }

    /// Analyses a file with any number of pictures.
    func analyze(
        _ kind: SeveralPictures, policy: AnalysisPolicy, limits: AnalysisLimits, findsTestPatterns: Bool,
        options: MediaOptions, _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> MediaAnalysis {
        try Self.check(policy, limits)
        return try await withMedia(kind, limits, makeInput) {
            let requirements = try await self.loader.prepare()
            return FrameWishes(
                minimumWidth: requirements.minimumWidth, minimumHeight: requirements.minimumHeight,
                findsTestPatterns: findsTestPatterns, preset: Self.preset(kind, policy, options))
        } _: { media in
            let analyzer = MediaAnalyzer(
                model: try await self.loader.model(), policy: policy, options: options,
                concurrency: self.concurrency,
                longestStall: limits.maximumDecodingTime, mayNeedVideoDecoder: kind == .pictures)
            return try await analyzer.analyze(media)
        }
    }

    /// Which frames are wanted, and how large.
    struct FrameWishes: Sendable {
        let minimumWidth: Int
        let minimumHeight: Int
        let findsTestPatterns: Bool
        let preset: SamplingPreset
    }

    /// Opens a file with any number of pictures, when its turn has come, with the decoder that can show them.
    func withMedia<Value: Sendable>(
        _ kind: SeveralPictures, _ limits: AnalysisLimits, _ makeInput: @escaping @Sendable () throws -> DecoderInput,
        wishing makeWishes: @Sendable () async throws -> FrameWishes,
        _ body: @escaping @Sendable (OpenMedia) async throws -> Value
    ) async throws -> Value {
        let service = kind == .pictures ? pictureMediaDecoding : videoDecoding
        let maximumByteCount = kind == .video ? limits.maximumVideoByteCount : limits.maximumByteCount
        let lanes = kind == .pictures ? sequenceLanes : videoLanes
        return try await lanes.run { urgency in
            let frames = try await makeWishes()
            let wishes = MediaDecodingService.Wishes(
                minimumWidth: frames.minimumWidth, minimumHeight: frames.minimumHeight,
                findsTestPatterns: frames.findsTestPatterns, preset: frames.preset, limits: limits,
                maximumByteCount: maximumByteCount, isImageSequence: kind == .imageSequence)
            return try await service.withMedia(makeInput, wishes, urgency: urgency, body)
        }
    }

    /// Decodes one picture, when its turn has come, and needs no model for it.
    func withPicture<Value: Sendable>(
        minimumEdge: Int, _ limits: AnalysisLimits, _ makeInput: @escaping @Sendable () throws -> DecoderInput,
        _ body: @escaping @Sendable (DecodedPicture) throws -> Value
    ) async throws -> Value {
        try await pictureLanes.run { urgency in
            try body(
                try await self.decoding.decode(
                    makeInput, minimumWidth: minimumEdge, minimumHeight: minimumEdge, findsTestPatterns: false,
                    limits: limits, urgency: urgency))
        }
    }

    /// Of animations, which are short and small, every picture is looked at.
    private static func preset(
        _ kind: SeveralPictures, _ policy: AnalysisPolicy, _ options: MediaOptions
    ) -> SamplingPreset {
        if policy == .descriptive { return .protective }
        return kind == .video ? options.preset : .thorough
    }

    private func judge(
        _ views: [PixelImage], _ patterns: Set<ContentType>, _ policy: AnalysisPolicy,
        thumbnail: PixelSamples? = nil
    ) async throws -> PictureAnalysis {
        let model = try await loader.model()
        return try verdict(try await model.scores(of: views), patterns, policy, model.name, thumbnail: thumbnail)
    }

    private func verdict(
        _ scores: [[ContentScore]], _ patterns: Set<ContentType>, _ policy: AnalysisPolicy, _ modelName: String,
        thumbnail: PixelSamples? = nil
    ) throws -> PictureAnalysis {
        try Task.checkCancellation()
        return PictureAnalysis(
            verdict: try PictureVerdict(views: scores, testPatterns: patterns, policy: policy),
            modelName: modelName, policy: policy, thumbnail: thumbnail)
    }
}
