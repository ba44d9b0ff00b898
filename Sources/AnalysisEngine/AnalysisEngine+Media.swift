// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost

extension AnalysisEngine {
    /// Analyses a file of any kind: a picture, an animation, pages or a video.
    ///
    /// - Parameters:
    ///   - expected: what the file is likely to be, which is then found out sooner.
    ///   - makeInput: gives the input; it may be called several times.
    /// - Throws: `AnalysisFailure` or `CancellationError`; never a verdict where a step has failed.
    package func analyzeMedia(
        policy: AnalysisPolicy, limits: AnalysisLimits, findsTestPatterns: Bool, options: MediaOptions,
        expecting expected: ExpectedMedia, _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> MediaAnalysis {
        let treatment = AnalysisTreatment(
            engine: self, policy: policy, limits: limits, findsTestPatterns: findsTestPatterns, options: options,
            makeInput: makeInput)
        return try await treatment.run(expecting: expected)
    }
}

/// The analysis of one file.
private struct AnalysisTreatment: MediaTreatment {
    let engine: AnalysisEngine
    let policy: AnalysisPolicy
    let limits: AnalysisLimits
    let findsTestPatterns: Bool
    let options: MediaOptions
    let makeInput: @Sendable () throws -> DecoderInput

    func picture() async throws -> MediaAnalysis {
        let analysis = try await engine.analyze(
            policy: policy, limits: limits, findsTestPatterns: findsTestPatterns, .encoded(makeInput),
            keepsThumbnail: options.keepsThumbnails)
        let result = MediaAnalysis(analysis, keepsTimeline: options.keepsTimeline)
        options.reportProgress(MediaProgress(share: 1, position: .zero, duration: nil))
        return result
    }

    /// What one library cannot show, the other does; the file is sensitive if either finds it so.
    func severalPictures() async throws -> MediaAnalysis {
        let pictures = try await run(.pictures)
        guard pictures.needsVideoDecoder, !pictures.isSensitive || options.keepsTimeline else { return pictures }
        do {
            return pictures.joined(with: try await run(.imageSequence))
        } catch let failure as AnalysisFailure {
            guard pictures.isSensitive else { throw failure }
            return pictures
        }
    }

    func video() async throws -> MediaAnalysis { try await run(.video) }

    private func run(_ kind: AnalysisEngine.SeveralPictures) async throws -> MediaAnalysis {
        try await engine.analyze(
            kind, policy: policy, limits: limits, findsTestPatterns: findsTestPatterns, options: options, makeInput)
    }
}
