// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import DecoderHost
internal import DecoderProtocol
internal import Foundation

/// Joins Apple's surface to the engine.
struct AnalyzerBacking: Sendable {
    private let ownConfiguration: SCSensitivityAnalyzer.Configuration?

    init(configuration: SCSensitivityAnalyzer.Configuration?) {
        ownConfiguration = configuration
    }

    private var configuration: SCSensitivityAnalyzer.Configuration {
        ownConfiguration ?? SCSensitivityAnalyzer.defaultConfiguration
    }

    var policy: SCSensitivityAnalysisPolicy { configuration.demandedPolicy }

    func analyzeImage(at fileURL: URL) async throws -> SCSensitivityAnalysis {
        guard fileURL.isFileURL else {
            throw SensitivityAnalysisError(
                .invalidArgument,
                message: "Only local files are analysed, and nothing is fetched. Download the media first, and pass the"
                    + " URL of the file or its data.")
        }
        return try await analyze { _ in .encoded { .file(path: fileURL.path) } }
    }

    func analyzeImage(data: Data) async throws -> SCSensitivityAnalysis {
        try await analyze { limits in
            .encoded { try Self.input(data, limits) }
        }
    }

    private static func input(_ data: Data, _ limits: AnalysisLimits) throws -> DecoderInput {
        guard data.count <= limits.maximumByteCount else {
            throw AnalysisFailure(
                .limitExceeded,
                "The data has \(data.count) bytes, and the limit is \(limits.maximumByteCount). Raise the limit if"
                    + " the data can be trusted.")
        }
        guard !data.isEmpty else {
            throw AnalysisFailure(.unsupportedMedia, "The data is empty. Check that it was received completely.")
        }
        let memory = try unsafe SealedMemory.filled(byteCount: data.count) { unsafe _ = data.copyBytes(to: $0) }
        return .memory(memory)
    }

    func analyzeImage(_ image: CGImage) async throws -> SCSensitivityAnalysis {
        try await analyze { limits in
            .pixels { try Self.views(of: image, limits) }
        }
    }

    private static func views(of image: CGImage, _ limits: AnalysisLimits) throws -> [PixelImage] {
        let edge = max(image.width, image.height)
        guard edge <= limits.maximumEdge, image.width * image.height <= limits.maximumPixelCount else {
            throw AnalysisFailure(
                .limitExceeded,
                "The image has \(image.width) × \(image.height) pixels; the limits are an edge of"
                    + " \(limits.maximumEdge) and \(limits.maximumPixelCount) pixels. Scale it down first.")
        }
        return try image.views()
    }

    private func analyze(
        _ makeInput: (AnalysisLimits) -> AnalysisInput
    ) async throws -> SCSensitivityAnalysis {
        let configuration = configuration
        guard configuration.demandedPolicy != .disabled else {
            throw SensitivityAnalysisError(
                .analysisDisabled,
                message: "The analysis policy is disabled, so nothing was analysed. Check analysisPolicy first; an app"
                    + " that wants analysis in any case demands a policy in its configuration.")
        }
        do {
            let limits = AnalysisLimits(configuration.limits)
            try limits.validate()
            let engine = SharedEngines.engine(
                for: EngineConfiguration(modelName: configuration.modelName, decoderMemory: limits.decoderMemory))
            let analysis = try await engine.analyze(
                policy: AnalysisPolicy(configuration.demandedPolicy), limits: limits, findsTestPatterns: TestMode.isOn,
                makeInput(limits))
            return SCSensitivityAnalysis(AnalysisBacking(analysis))
        } catch let failure as AnalysisFailure {
            throw SensitivityAnalysisError(failure)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw SensitivityAnalysisError(
                .internalFailure, message: "The analysis failed in a way that should not occur. Please report it.",
                cause: error)
        }
    }
}

extension AnalysisLimits {
    init(_ limits: SCSensitivityAnalyzer.Limits) {
        self.init(
            maximumByteCount: limits.maximumByteCount, maximumEdge: limits.maximumEdge,
            maximumStreamedPixelCount: limits.maximumStreamedPixelCount, maximumPixelCount: limits.maximumPixelCount,
            maximumDecodingTime: limits.maximumDecodingTime, decoderMemory: limits.decoderMemory)
    }
}
