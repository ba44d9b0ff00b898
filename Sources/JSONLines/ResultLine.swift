// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import AnalysisEngine
internal import Foundation

/// A line of the format that docs/json-lines.md describes: the result for one input.
package enum ResultLine {
    /// The version of the format.
    private static let schema = 1

    /// The path of a file, which need not be UTF-8 text.
    package struct Path: Sendable {
        private let bytes: [UInt8]

        /// - Parameter bytes: the bytes of the path.
        package init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }
        /// The bytes in Base64 (RFC 4648); nil if the path is UTF-8 text.
        var base64: String? {
            String(validating: bytes, as: UTF8.self) == nil ? Data(bytes).base64EncodedString() : nil
        }
    }

    /// The outcome of the move of a file, or of its copy.
    package struct Placement: Sendable {
        let action: Action
        let outcome: Outcome
        /// Whether parts of the copied picture are missing.
        let isDamaged: Bool

        package init(_ action: Action, _ outcome: Outcome, isDamaged: Bool = false) {
            (self.action, self.outcome, self.isDamaged) = (action, outcome, isDamaged)
        }

        package enum Action: Sendable {
            case move
            case copy
        }

        package enum Outcome: Sendable {
            case done(Path)
            /// Nothing was done, because it was a rehearsal.
            case planned(Path)
            case failed(String)
        }
    }

    /// Returns the line, without its line break.
    ///
    /// - Parameters:
    ///   - path: the path of the input.
    ///   - placement: the outcome of the file's move or copy; nil if there was none.
    ///   - isForReview: whether the score is in the range that a person wants to look at.
    package static func text(
        _ path: Path, _ result: Result<MediaAnalysis, AnalysisFailure>, _ placement: Placement? = nil,
        isForReview: Bool = false
    ) -> String {
        var line = beginning(path)
        switch result {
        case .failure(let failure): add(failure, to: &line)
        case .success(let analysis): add(analysis, to: &line)
        }
        if isForReview { line.add("review", true) }
        if let placement { add(placement, to: &line) }
        return line.text
    }

    /// Returns the line for an entry of a folder that was not judged.
    ///
    /// - Parameter reason: the kind of the entry.
    package static func text(_ path: Path, skipped reason: String) -> String {
        var line = beginning(path)
        line.add("skipped", reason)
        return line.text
    }

    private static func beginning(_ path: Path) -> JSONObject {
        var line = JSONObject()
        line.add("schema", schema)
        line.add("path", path.text)
        if let base64 = path.base64 { line.add("pathBase64", base64) }
        return line
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
        if !analysis.regions.isEmpty { line.add("regions", analysis.regions.map(object)) }
        guard analysis.kind != .image else { return }
        if let duration = analysis.duration { line.add("duration", duration) }
        line.add("framesAnalyzed", analysis.framesAnalyzed)
        // The number is unknown if the analysis ended before the end of the file.
        if analysis.framesDecoded > 0 { line.add("framesDecoded", analysis.framesDecoded) }
        if let time = analysis.firstSensitiveTime { line.add("firstSensitiveTime", time) }
    }

    private static func add(_ placement: Placement, to line: inout JSONObject) {
        switch (placement.action, placement.outcome) {
        case (.move, .done(let place)): line.add("movedTo", place.text)
        case (.move, .planned(let place)): line.add("wouldMoveTo", place.text)
        case (.move, .failed(let reason)): line.add("moveError", reason)
        case (.copy, .done(let place)): line.add("copiedTo", place.text)
        case (.copy, .planned(let place)): line.add("wouldCopyTo", place.text)
        case (.copy, .failed(let reason)): line.add("copyError", reason)
        }
        if placement.isDamaged { line.add("isDamaged", true) }
    }

    private static func object(_ region: PictureRegion) -> JSONObject {
        var object = JSONObject()
        object.add("x", region.rectangle.left)
        object.add("y", region.rectangle.top)
        object.add("width", region.rectangle.right - region.rectangle.left)
        object.add("height", region.rectangle.bottom - region.rectangle.top)
        object.add("type", region.contentType.rawValue)
        object.add("score", region.score)
        return object
    }

    private static func object(_ label: LabelScore) -> JSONObject {
        var object = JSONObject()
        object.add("label", label.label)
        object.add("score", label.value)
        return object
    }
}
