// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import AnalysisEngine

/// A line of the format that docs/json-lines.md describes: the result for one input.
package enum ResultLine {
    /// The version of the format.
    private static let schema = 1

    /// Returns the line, without its line break.
    ///
    /// - Parameter path: the name of the input.
    package static func text(path: String, _ result: Result<MediaAnalysis, AnalysisFailure>) -> String {
        var line = JSONObject()
        line.add("schema", schema)
        line.add("path", path)
        switch result {
        case .failure(let failure): add(failure, to: &line)
        case .success(let analysis): add(analysis, to: &line)
        }
        return line.text
    }

    private static func add(_ failure: AnalysisFailure, to line: inout JSONObject) {
        var error = JSONObject()
        error.add("code", failure.code.rawValue)
        error.add("message", failure.message)
        line.add("verdict", "unknown")
        line.add("error", error)
    }

    private static func add(_ analysis: MediaAnalysis, to line: inout JSONObject) {
        line.add("media", analysis.kind.rawValue)
        line.add("verdict", analysis.isSensitive ? "sensitive" : "notSensitive")
        line.add("detectedTypes", analysis.detectedTypes.sorted().map(\.rawValue))
        line.add("score", analysis.score)
        line.add("model", analysis.modelName)
        line.add("policy", analysis.policy == .descriptive ? "descriptive" : "simple")
        if !analysis.labels.isEmpty { line.add("labels", analysis.labels.descending.map(object)) }
        guard analysis.kind != .image else { return }
        if let duration = analysis.duration { line.add("duration", duration) }
        line.add("framesAnalyzed", analysis.framesAnalyzed)
        // The number is unknown if the analysis ended before the end of the file.
        if analysis.framesDecoded > 0 { line.add("framesDecoded", analysis.framesDecoded) }
        if let time = analysis.firstSensitiveTime { line.add("firstSensitiveTime", time) }
    }

    private static func object(_ label: LabelScore) -> JSONObject {
        var object = JSONObject()
        object.add("label", label.label)
        object.add("score", label.value)
        return object
    }
}
