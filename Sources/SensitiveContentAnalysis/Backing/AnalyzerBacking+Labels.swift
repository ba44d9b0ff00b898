// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation
internal import HelperHost
internal import HelperProtocol

/// The functions of a ``ClassificationRequest``.
extension AnalyzerBacking {
    func classifyImage(at fileURL: URL) async throws -> [ClassificationObservation] {
        try await classify { _ in try Self.input(fileURL) }
    }

    func classifyImage(data: Data) async throws -> [ClassificationObservation] {
        try await classify { limits in try Self.input(data, limits) }
    }

    func classifyImage(_ image: CGImage) async throws -> [ClassificationObservation] {
        let analysis = try await analyzePixels(image, MediaOptions(keepsLabels: true))
        return Self.observations(MediaAnalysis(analysis))
    }

    private func classify(
        _ makeInput: @escaping @Sendable (AnalysisLimits) throws -> DecoderInput
    ) async throws -> [ClassificationObservation] {
        // All pictures of an animation are scored, so that the picture with the highest score is known.
        let options = MediaOptions(keepsTimeline: true, keepsLabels: true)
        return Self.observations(try await analyzePictures(options, makeInput))
    }

    private static func observations(_ analysis: MediaAnalysis) -> [ClassificationObservation] {
        analysis.labels.descending.map { ClassificationObservation(identifier: $0.label, confidence: $0.value) }
    }
}
