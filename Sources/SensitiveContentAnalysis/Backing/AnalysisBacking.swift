// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import LiveStreams

/// The stored values of an ``SCSensitivityAnalysis``.
struct AnalysisBacking: Sendable {
    let isSensitive: Bool
    let detectedTypes: Set<SCSensitivityAnalysis.ContentType>
    let score: Float
    let modelName: String
    let policy: SCSensitivityAnalysisPolicy
    let regions: [SCSensitivityAnalysis.Region]
    /// The measures for a live stream; none for other media.
    let guidance: StreamGuidance

    init(_ analysis: MediaAnalysis) {
        isSensitive = analysis.isSensitive
        detectedTypes = Set(analysis.detectedTypes.map { SCSensitivityAnalysis.ContentType(rawValue: $0.rawValue) })
        score = analysis.score
        modelName = analysis.modelName
        policy = SCSensitivityAnalysisPolicy(analysis.policy)
        regions = analysis.regions.map(SCSensitivityAnalysis.Region.init)
        guidance = StreamGuidance()
    }

    init(_ finding: StreamFinding, isIncoming: Bool) {
        isSensitive = !finding.isHarmless
        detectedTypes = Set(finding.types.map { SCSensitivityAnalysis.ContentType(rawValue: $0.rawValue) })
        score = finding.score
        modelName = finding.modelName
        policy = SCSensitivityAnalysisPolicy(finding.policy)
        regions = []
        guidance = StreamGuidance(finding.types, policy: finding.policy, isIncoming: isIncoming)
    }
}

extension SCSensitivityAnalysisPolicy {
    init(_ policy: AnalysisPolicy) {
        self =
            switch policy {
            case .disabled: .disabled
            case .simple: .simpleInterventions
            case .descriptive: .descriptiveInterventions
            }
    }
}

extension AnalysisPolicy {
    init(_ policy: SCSensitivityAnalysisPolicy) {
        self =
            switch policy {
            case .disabled: .disabled
            case .simpleInterventions: .simple
            case .descriptiveInterventions: .descriptive
            }
    }
}
