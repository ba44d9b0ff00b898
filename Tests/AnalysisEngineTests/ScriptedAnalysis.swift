// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost

/// Analyses files with a model whose scores a test determines.
enum ScriptedAnalysis {
    /// Analyses a file with a model whose score is the brightness of the middle row.
    static func analyze(
        _ file: URL, preset: SamplingPreset = .balanced, policy: AnalysisPolicy = .simple,
        limits: AnalysisLimits = AnalysisLimits(), keepsTimeline: Bool = false,
        score: @escaping @Sendable (PixelImage) throws -> Float = AnalysisEngineTests.brightness
    ) async throws -> MediaAnalysis {
        let request = AnalysisRequest(
            policy: policy, limits: limits, options: MediaOptions(preset: preset, keepsTimeline: keepsTimeline))
        return try await AnalysisEngineTests.engine(score: score)
            .analyzeMedia(request) { .file(path: file.path) }.get()
    }

    static let presets: [SamplingPreset] = [.fast, .balanced, .thorough]

    /// Returns the code of the failure, or nil if the file is judged.
    static func code(
        _ file: URL, preset: SamplingPreset = .balanced, limits: AnalysisLimits = AnalysisLimits()
    ) async -> AnalysisFailure.Code? {
        do {
            _ = try await analyze(file, preset: preset, limits: limits)
            return nil
        } catch {
            return (error as? AnalysisFailure)?.code
        }
    }
}
