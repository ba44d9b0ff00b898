// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import DecoderHost

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
        let job = MediaJob(
            engine: self, policy: policy, limits: limits, findsTestPatterns: findsTestPatterns, options: options,
            makeInput: makeInput)
        if expected == .video {
            do {
                return try await job.run(.video)
            } catch let failure as AnalysisFailure where failure.redirection == .pictures {}
        }
        do {
            return try await job.picture()
        } catch let failure as AnalysisFailure {
            switch (failure.redirection, expected) {
            case (.severalPictures, _): return try await job.severalPictures()
            case (.video, .any): return try await job.run(.video)
            case (.video, .onlyPictures):
                throw AnalysisFailure(
                    .unsupportedMedia, "The file is a video or sound file. Have it analysed as a video (videoAnalysis)."
                )
            default: throw failure
            }
        }
    }
}

/// What a file is likely to be.
package enum ExpectedMedia: Sendable {
    case any
    case video
    /// Anything but a video, which is refused.
    case onlyPictures
}

/// One file, and the ways to analyse it.
private struct MediaJob: Sendable {
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

    func run(_ kind: AnalysisEngine.SeveralPictures) async throws -> MediaAnalysis {
        try await engine.analyze(
            kind, policy: policy, limits: limits, findsTestPatterns: findsTestPatterns, options: options, makeInput)
    }
}
