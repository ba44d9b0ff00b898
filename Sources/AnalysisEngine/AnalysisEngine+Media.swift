// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost

extension AnalysisEngine {
    /// Analyses a file of any kind: a picture, an animation, pages or a video.
    ///
    /// - Parameter makeInput: makes the input; it may be called several times.
    /// - Returns: the analysis, or the content of a file that is empty or in no known format.
    /// - Throws: `AnalysisFailure` or `CancellationError`; a file with a failed step is never judged not sensitive.
    package func analyzeMedia(
        _ request: AnalysisRequest, _ makeInput: @escaping @Sendable () throws -> DecoderInput
    ) async throws -> FileAnswer<MediaAnalysis> {
        try await AnalysisTreatment(engine: self, request: request, makeInput: makeInput)
            .run(expecting: request.expected)
    }
}

/// The analysis of one file, by the kind of its content.
private struct AnalysisTreatment: MediaTreatment {
    let engine: AnalysisEngine
    let request: AnalysisRequest
    let makeInput: @Sendable () throws -> DecoderInput

    func picture() async throws -> FileAnswer<MediaAnalysis> {
        try await engine.analyzePicture(request, makeInput).map { analysis in
            request.options.reportProgress(MediaProgress(share: 1, position: .zero, duration: nil))
            return MediaAnalysis(analysis, keepsTimeline: request.options.keepsTimeline)
        }
    }

    /// Analyses the pictures that each decoder can show; the file is sensitive if either analysis finds it sensitive.
    func severalPictures() async throws -> FileAnswer<MediaAnalysis> {
        let answer = try await engine.analyze(.pictures, request, makeInput)
        guard case .value(let pictures) = answer, pictures.needsVideoDecoder,
            !pictures.isSensitive || request.options.keepsTimeline
        else { return answer }
        do {
            return .value(pictures.joined(with: try await engine.analyze(.imageSequence, request, makeInput).get()))
        } catch let failure as AnalysisFailure {
            guard pictures.isSensitive else { throw failure }
            return answer
        }
    }

    func video() async throws -> FileAnswer<MediaAnalysis> { try await engine.analyze(.video, request, makeInput) }
}
