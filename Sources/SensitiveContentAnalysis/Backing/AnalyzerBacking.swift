// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation
internal import HelperHost
internal import HelperProtocol
internal import SensitivityPolicy

/// The functions of an ``SCSensitivityAnalyzer``, which use the analysis engine and the policy of the system.
struct AnalyzerBacking: Sendable {
    private let ownConfiguration: SCSensitivityAnalyzer.Configuration?

    init(configuration: SCSensitivityAnalyzer.Configuration?) {
        ownConfiguration = configuration
    }

    private var configuration: SCSensitivityAnalyzer.Configuration {
        ownConfiguration ?? DefaultConfiguration.shared.value
    }

    private var demand: AnalysisPolicy { AnalysisPolicy(configuration.demandedPolicy) }

    var policy: SCSensitivityAnalysisPolicy {
        ForkCheck.remember()
        let snapshot = PolicyMonitor.shared.snapshot()
        let policy = snapshot.policy(demand: demand)
        if policy == .disabled, let reason = AnalysisAuthority(snapshot, demand: demand).missingEntitlement {
            MissingEntitlementNotice.show(reason)
        }
        return SCSensitivityAnalysisPolicy(policy)
    }

    /// The facts besides the policy on which a verdict depends: the requested model, the sampling preset, whether only
    /// files of the administrator take part, and whether test patterns count.
    var verdictConditions: [String] {
        let authority = AnalysisAuthority(
            PolicyMonitor.shared.snapshot(), demand: demand, threshold: configuration.threshold)
        return [
            configuration.modelName ?? "", "\(configuration.samplingPreset)",
            authority.threshold.map { "\($0.value) \($0.canOnlyTighten)" } ?? "",
            authority.isProtected ? "protected" : "", authority.findsTestPatterns ? "test mode" : "",
        ]
    }

    /// Returns the policy now, and then each new policy.
    func policyChanges() -> AsyncStream<SCSensitivityAnalysisPolicy> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SCSensitivityAnalysisPolicy.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            var last: SCSensitivityAnalysisPolicy?
            for await _ in changes() {
                let policy = SCSensitivityAnalysisPolicy(PolicyMonitor.shared.snapshot().policy(demand: demand))
                if policy != last { continuation.yield(policy) }
                last = policy
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Sends an element once the policy and the conditions of verdicts are known, and after each possible change.
    func changes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // Listen before the first answer, so that no change is missed.
            let snapshots = PolicyMonitor.shared.changes()
            let configurations = ownConfiguration == nil ? DefaultConfiguration.shared.changes() : nil
            let task = Task {
                _ = await PolicyMonitor.shared.settledSnapshot()
                continuation.yield()
                await withDiscardingTaskGroup { group in
                    group.addTask { for await _ in snapshots { continuation.yield() } }
                    guard let configurations else { return }
                    group.addTask { for await _ in configurations { continuation.yield() } }
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    func analyzeImage(at fileURL: URL) async throws -> SCSensitivityAnalysis {
        SCSensitivityAnalysis(AnalysisBacking(try await analyzePictures { _ in try Self.input(fileURL) }))
    }

    func analyzeImage(data: Data) async throws -> SCSensitivityAnalysis {
        SCSensitivityAnalysis(AnalysisBacking(try await analyzePictures { limits in try Self.input(data, limits) }))
    }

    /// Analyses a video, or media of any other kind that the file contains.
    func analyzeVideo(at fileURL: URL, _ options: MediaOptions) async throws -> MediaAnalysis {
        try await analyze { engine, authority, limits in
            try Self.requireLocal(fileURL)
            let path = fileURL.path
            let request = authority.request(limits: limits, options: options)
            return try await engine.analyzeMedia(request, isLikelyVideo: true) { .file(path: path) }.get()
        }
    }

    /// Returns colour samples of the first picture of a local file, for a cover.
    func samples(_ detail: PixelSamples.Detail, ofFileAt fileURL: URL) async throws -> PixelSamples {
        try await analyze { engine, _, limits in
            try Self.requireLocal(fileURL)
            let path = fileURL.path
            return try await engine.samples(detail, limits: limits) { .file(path: path) }
        }
    }

    var samplingPreset: SamplingPreset { SamplingPreset(configuration.samplingPreset) }

    private static func requireLocal(_ fileURL: URL) throws {
        guard fileURL.isFileURL else {
            throw SensitivityAnalysisError(
                .invalidArgument,
                message: "Only local files are analysed, and nothing is fetched. Download the media first, and pass the"
                    + " URL of the file or its data.")
        }
    }

    /// Analyses a picture, or all pictures of an animation or of a file with pages.
    func analyzePictures(
        _ options: MediaOptions = MediaOptions(),
        _ makeInput: @escaping @Sendable (AnalysisLimits) throws -> DecoderInput
    ) async throws -> MediaAnalysis {
        try await analyze { engine, authority, limits in
            let request = authority.request(limits: limits, options: options)
            return try await engine.analyzePictures(request) { try makeInput(limits) }.get()
        }
    }

    static func input(_ fileURL: URL) throws -> DecoderInput {
        try requireLocal(fileURL)
        return .file(path: fileURL.path)
    }

    static func input(_ data: Data, _ limits: AnalysisLimits) throws -> DecoderInput {
        guard data.count <= limits.maximumByteCount else {
            throw AnalysisFailure(
                .limitExceeded,
                "The data has \(data.count) bytes, and the limit is \(limits.maximumByteCount). Raise the limit if"
                    + " the data can be trusted.")
        }
        guard !data.isEmpty else {
            throw AnalysisFailure(.unsupportedMedia, "The data is empty. Check that it was received completely.")
        }
        return .memory(try .copying(data))
    }

    func analyzeImage(_ image: CGImage) async throws -> SCSensitivityAnalysis {
        SCSensitivityAnalysis(AnalysisBacking(MediaAnalysis(try await analyzePixels(image))))
    }

    func analyzePixels(_ image: CGImage, _ options: MediaOptions = MediaOptions()) async throws -> PictureAnalysis {
        try await analyze { engine, authority, limits in
            try await engine.analyzePixels(authority.request(limits: limits, options: options)) {
                try Self.picture(of: image, limits)
            }
        }
    }

    private static func picture(of image: CGImage, _ limits: AnalysisLimits) throws -> SealedPicture {
        let edge = max(image.width, image.height)
        guard edge <= limits.maximumEdge, image.width * image.height <= limits.maximumPixelCount else {
            throw AnalysisFailure(
                .limitExceeded,
                "The image has \(image.width) × \(image.height) pixels; the limits are an edge of"
                    + " \(limits.maximumEdge) and \(limits.maximumPixelCount) pixels. Scale it down first.")
        }
        return try image.sealed()
    }

    /// Returns the authority for a stream now, and the engine under it.
    func streamAuthority() -> StreamAuthority {
        let configuration = configuration
        let authority = AnalysisAuthority(
            PolicyMonitor.shared.snapshot(), demand: AnalysisPolicy(configuration.demandedPolicy),
            threshold: configuration.threshold)
        return StreamAuthority(
            authority: authority, engine: Self.engine(under: authority, configuration),
            limits: configuration.limits.bounds,
            conditions: StreamConditions(
                policy: authority.policy, isProtected: authority.isProtected,
                findsTestPatterns: authority.findsTestPatterns, threshold: authority.threshold,
                configuration: configuration))
    }

    private static func engine(
        under authority: AnalysisAuthority, _ configuration: SCSensitivityAnalyzer.Configuration
    ) -> MediaEngine {
        authority.engine(
            modelName: configuration.modelName,
            decoders: HelperSettings(
                memoryLimit: configuration.limits.bounds.decoderMemory,
                requiresSandbox: configuration.requiresSandbox))
    }

    /// - Throws: ``SensitivityAnalysisError`` if the policy is disabled or nothing can analyse.
    func checkForStreams(_ authority: StreamAuthority) throws {
        try Self.requireEnabled(authority.authority)
        do {
            try authority.limits.validate()
            try authority.authority.checkParts(modelName: configuration.modelName)
        } catch {
            throw SensitivityAnalysisError(authority.authority.explained(error))
        }
    }

    /// Runs an analysis under the configuration in force, and turns its errors into public errors.
    func analyze<Value: Sendable>(
        _ body: @Sendable (MediaEngine, AnalysisAuthority, AnalysisLimits) async throws -> Value
    ) async throws -> Value {
        let configuration = configuration
        let authority = await AnalysisAuthority.current(
            demand: AnalysisPolicy(configuration.demandedPolicy), threshold: configuration.threshold)
        try Self.requireEnabled(authority)
        do {
            let limits = configuration.limits.bounds
            try limits.validate()
            return try await body(Self.engine(under: authority, configuration), authority, limits)
        } catch let error as SensitivityAnalysisError {
            throw error
        } catch let failure as AnalysisFailure {
            throw SensitivityAnalysisError(authority.explained(failure))
        } catch let error as CancellationError {
            throw error
        } catch {
            throw SensitivityAnalysisError(
                .internalFailure, message: "The analysis failed in a way that should not occur. Please report it.",
                cause: error)
        }
    }

    /// - Throws: ``SensitivityAnalysisError`` with `analysisDisabled` if no policy asks for analysis.
    private static func requireEnabled(_ authority: AnalysisAuthority) throws {
        guard authority.policy != .disabled else {
            let reason = authority.missingEntitlement
            if let reason { MissingEntitlementNotice.show(reason) }
            throw SensitivityAnalysisError(
                .analysisDisabled,
                message: reason.map { "The app may not ask for analysis. \($0)" }
                    ?? "The analysis policy is disabled, so nothing was analysed. Check analysisPolicy first; an app"
                    + " that wants analysis in any case demands a policy in its configuration.")
        }
    }
}
