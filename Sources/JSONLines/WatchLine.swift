// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A line about a change of a live stream, as docs/json-lines.md describes it.
package struct WatchLine {
    package var path: String
    /// The time since the first frame.
    package var time: Duration
    /// The state: "waiting", "notSensitive", "sensitive", "unknown" or "ended".
    package var state: String
    package var types: [ContentType] = []
    package var score: Float?
    package var model: String?
    package var policy: AnalysisPolicy
    /// The reason of an unknown state.
    package var reason: String?

    package init(path: String, time: Duration, state: String, policy: AnalysisPolicy) {
        (self.path, self.time, self.state, self.policy) = (path, time, state, policy)
    }

    /// The line, without its line break.
    package var text: String {
        var line = JSONObject()
        line.add("schema", 1)
        line.add("path", path)
        line.add("time", time)
        line.add("state", state)
        if !types.isEmpty { line.add("detectedTypes", types.map(\.rawValue)) }
        if let score { line.add("score", score) }
        if let model { line.add("model", model) }
        if let reason { line.add("reason", reason) }
        line.add("policy", policy == .descriptive ? "descriptive" : "simple")
        return line.text
    }
}
