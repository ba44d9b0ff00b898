// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import SensitiveContentAnalysis

/// The functions of a sensitivity analyzer that ``AttachmentChecker`` calls; tests pass functions of their own.
package struct AttachmentAnalyzer: Sendable {
    package typealias Judge =
        @Sendable (URL, MediaKind, @escaping @Sendable (Double) -> Void) async throws -> MediaJudgement

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
