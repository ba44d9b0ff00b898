// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import SensitiveContentAnalysis

/// What a checker needs of an analyzer; tests script it.
package struct AttachmentAnalyzer: Sendable {
    package typealias Judge =
        @Sendable (URL, MediaKind, @escaping @Sendable (Double) -> Void) async throws -> MediaJudgement

    package let policy: @Sendable () -> SCSensitivityAnalysisPolicy
    /// Tells when the policy or the conditions may have become others, and once at the beginning.
    package let changes: @Sendable () -> AsyncStream<Void>
    /// What else decides on a verdict, such as the model; what was found under others is of no use.
    package let conditions: @Sendable () -> [String]
    /// Waits until it is known what the policy and the conditions are.
    package let settle: @Sendable () async -> Void
    /// Judges a local file, and tells how far it is.
    package let judge: Judge
    /// Reduces the first picture of a local file to what a cover may tell.
    package let samples: @Sendable (URL, InterventionPresentation.Cover) async throws -> CoverSamples

    package init(
        policy: @escaping @Sendable () -> SCSensitivityAnalysisPolicy,
        changes: @escaping @Sendable () -> AsyncStream<Void>,
        conditions: @escaping @Sendable () -> [String], settle: @escaping @Sendable () async -> Void,
        judge: @escaping Judge,
        samples: @escaping @Sendable (URL, InterventionPresentation.Cover) async throws -> CoverSamples
    ) {
        self.policy = policy
        self.changes = changes
        self.conditions = conditions
        self.settle = settle
        self.judge = judge
        self.samples = samples
    }

    init(_ analyzer: SCSensitivityAnalyzer) {
        self.init(
            policy: { analyzer.analysisPolicy },
            changes: { analyzer.changes() },
            conditions: { analyzer.verdictConditions },
            settle: { await analyzer.settlePolicy() },
            judge: { file, kind, report in
                guard kind != .image else { return MediaJudgement(try await analyzer.analyzeImage(at: file)) }
                let handler = analyzer.videoAnalysis(forFileAt: file)
                let progress = Task {
                    for await update in handler.progressUpdates { report(update.fractionCompleted) }
                }
                defer { progress.cancel() }
                return MediaJudgement(try await handler.hasSensitiveContent())
            }, samples: { try await CoverSamples(ofFileAt: $0, cover: $1, analyzer: analyzer) })
    }
}

extension MediaJudgement {
    init(_ analysis: SCSensitivityAnalysis) {
        self.init(verdict: MediaVerdict(analysis), policy: analysis.policy)
    }
}
