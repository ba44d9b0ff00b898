// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import SensitiveContentAnalysis

/// The functions of a sensitivity analyzer that ``AttachmentChecker`` calls; tests pass functions of their own.
package struct AttachmentAnalyzer: Sendable {
    package typealias Judge =
        @Sendable (URL, MediaKind, @escaping @Sendable (Double) -> Void) async throws -> MediaJudgement
    /// Returns judged pixels of a local file, with their longest edge reduced, and the judgement on them.
    package typealias Display<Content> = @Sendable (URL, Int?) async throws -> (MediaJudgement, Content)

    package let policy: @Sendable () -> SCSensitivityAnalysisPolicy
    /// Sends an element once the policy and the conditions are known, and after each possible change of them.
    package let changes: @Sendable () -> AsyncStream<Void>
    /// The facts besides the policy on which a verdict depends, such as the model; a change of them voids the verdict.
    package let conditions: @Sendable () -> [String]
    /// Waits until the policy and the conditions are known.
    package let settle: @Sendable () async -> Void
    /// Judges a local file, and reports the share of the check that is done, from 0 to 1.
    package let judge: Judge
    /// Reduces the first picture of a local file to the few colour samples that a cover shows.
    package let samples: @Sendable (URL, InterventionPresentation.Cover) async throws -> CoverSamples
    package let image: Display<CGImage>
    package let frames: Display<SCSensitivityAnalyzer.JudgedFrames>
    /// Returns the image with covers over its regions; nil if there are none, or if the result is sensitive as well.
    package let imageWithCoveredRegions: @Sendable (URL, Int?) async throws -> CGImage?

    package init(
        policy: @escaping @Sendable () -> SCSensitivityAnalysisPolicy,
        changes: @escaping @Sendable () -> AsyncStream<Void>,
        conditions: @escaping @Sendable () -> [String], settle: @escaping @Sendable () async -> Void,
        judge: @escaping Judge,
        samples: @escaping @Sendable (URL, InterventionPresentation.Cover) async throws -> CoverSamples,
        image: @escaping Display<CGImage> = { _, _ in throw CancellationError() },
        frames: @escaping Display<SCSensitivityAnalyzer.JudgedFrames> = { _, _ in throw CancellationError() },
        imageWithCoveredRegions: @escaping @Sendable (URL, Int?) async throws -> CGImage? = { _, _ in nil }
    ) {
        self.policy = policy
        self.changes = changes
        self.conditions = conditions
        self.settle = settle
        self.judge = judge
        self.samples = samples
        self.image = image
        self.frames = frames
        self.imageWithCoveredRegions = imageWithCoveredRegions
    }

    init(_ analyzer: SCSensitivityAnalyzer, display: AttachmentChecker.Display) {
        self.init(
            policy: { analyzer.analysisPolicy },
            changes: { analyzer.changes() },
            conditions: { analyzer.verdictConditions },
            settle: { await analyzer.settlePolicy() },
            judge: { file, kind, report in
                guard kind != .image else {
                    guard display == .judgedPixels else {
                        return MediaJudgement(try await analyzer.analyzeImage(at: file))
                    }
                    // The score is that of the averages of the picture, and a small one is soon returned to the system.
                    let judged = try await analyzer.judgedImage(at: file, maximumPixelSize: Self.sizeOfCheck)
                    return MediaJudgement(judged.analysis)
                }
                let handler = analyzer.videoAnalysis(forFileAt: file)
                let progress = Task {
                    for await update in handler.progressUpdates { report(update.fractionCompleted) }
                }
                defer { progress.cancel() }
                return MediaJudgement(try await handler.hasSensitiveContent())
            }, samples: { try await CoverSamples(ofFileAt: $0, cover: $1, analyzer: analyzer) },
            image: { file, size in
                let judged = try await analyzer.judgedImage(at: file, maximumPixelSize: size)
                return (MediaJudgement(judged.analysis), judged.image)
            },
            frames: { file, size in
                let frames = try await analyzer.judgedFrames(of: file, maximumPixelSize: size)
                return (MediaJudgement(frames.analysis), frames)
            },
            imageWithCoveredRegions: { file, size in
                let judged = try await analyzer.judgedImage(at: file, maximumPixelSize: size)
                guard let image = try judged.image.covered(in: judged.analysis.regions) else { return nil }
                let analysis = try await analyzer.analyzeImage(image)
                let isHarmless = !analysis.isSensitive && analysis.policy.isAtLeastAsStrict(as: judged.analysis.policy)
                return isHarmless ? image : nil
            })
    }

    /// The longest edge of a picture that is judged and not shown, in pixels; more than the size that models look at.
    private static let sizeOfCheck = 2048
}

extension MediaJudgement {
    init(_ analysis: SCSensitivityAnalysis) {
        self.init(verdict: MediaVerdict(analysis), policy: analysis.policy)
    }
}
