// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation

/// A line of comma-separated values.
enum ResultValues {
    static let names = [
        "path", "verdict", "score", "detectedTypes", "media", "duration", "firstSensitiveTime", "framesAnalyzed",
        "model",
        "policy", "errorCode", "errorMessage", "skipped", "movedTo", "wouldMoveTo", "moveError", "copiedTo",
        "wouldCopyTo", "copyError", "isDamaged", "review",
    ]

    static func text(_ outcome: AnalysisOutcome, _ placement: Placement?) -> String {
        var values = [
            "path": ValueText.harmless(outcome.input.path.text), "verdict": outcome.verdict?.memberName ?? "",
        ]
        switch outcome.finding {
        case .skipped(let reason): values["skipped"] = reason.rawValue
        case .failure(let failure):
            values["errorCode"] = failure.code.rawValue
            values["errorMessage"] = failure.message
        case .analysis(let analysis):
            if outcome.isForReview { values["review"] = "true" }
            values["score"] = String(format: "%.4f", analysis.score)
            values["detectedTypes"] = analysis.detectedTypes.sorted().map(\.rawValue).joined(separator: " ")
            values["media"] = analysis.kind.rawValue
            values["duration"] = analysis.duration.map(seconds)
            values["firstSensitiveTime"] = analysis.firstSensitiveTime.map(seconds)
            values["framesAnalyzed"] = "\(analysis.framesAnalyzed)"
            values["model"] = analysis.modelName
            values["policy"] = analysis.policy == .descriptive ? "descriptive" : "simple"
        }
        switch (placement?.action, placement?.outcome) {
        case (.move, .done(let place)): values["movedTo"] = ValueText.harmless(place.text)
        case (.move, .planned(let place)): values["wouldMoveTo"] = ValueText.harmless(place.text)
        case (.move, .failed(let reason)): values["moveError"] = reason
        case (.copy, .done(let place)): values["copiedTo"] = ValueText.harmless(place.text)
        case (.copy, .planned(let place)): values["wouldCopyTo"] = ValueText.harmless(place.text)
        case (.copy, .failed(let reason)): values["copyError"] = reason
        default: break
        }
        if placement?.isDamaged == true { values["isDamaged"] = "true" }
        return names.map { ValueText.quoted(values[$0] ?? "") }.joined(separator: ",")
    }

    private static func seconds(_ time: Duration) -> String { String(format: "%.3f", time / .seconds(1)) }
}
