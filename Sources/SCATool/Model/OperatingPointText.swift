// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelEvaluation
internal import ModelStore

/// The operating points of a model as lines for a person.
enum OperatingPointText {
    /// Returns the lines, with their intervals by Wilson's formula.
    static func lines(_ manifest: ModelManifest) -> [String] {
        guard let all = manifest.operatingPoints, !all.isEmpty else {
            return ["No operating points are known. Measure them: sca evaluate --model \(manifest.name) -- SET"]
        }
        return all.flatMap(lines)
    }

    private static func lines(_ points: OperatingPoints) -> [String] {
        let origin = points.origin == .reported ? "reported by others" : "counted here"
        var lines = ["\(origin), \(points.date): \(points.data)"]
        for point in points.points {
            var rates: [String] = []
            if let text = text(point.sensitivity, of: points.sensitiveCount) { rates.append("\(text) found") }
            if let text = text(point.falseAlarmRate, of: points.harmlessCount) { rates.append("\(text) false alarms") }
            lines.append("  from \(EvaluationRows.threshold(point.threshold)): \(rates.joined(separator: ", "))")
        }
        if let caveat = points.caveat { lines.append("  \(caveat)") }
        return (lines + ["  \(points.source)"]).map(TerminalText.printable)
    }

    private static func text(_ share: Double?, of count: Int?) -> String? {
        guard let share, let count else { return nil }
        let proportion = Proportion(hits: Int((share * Double(count)).rounded()), of: count)
        return "\(PercentText.text(share)) of \(count) (\(PercentText.text(proportion.wilson)))"
    }
}
