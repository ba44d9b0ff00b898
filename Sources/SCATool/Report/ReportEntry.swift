// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation

/// The entry of one file on the report page.
enum ReportEntry {
    /// Returns the entry as an item of a list; empty for a skipped file.
    static func text(_ outcome: AnalysisOutcome) -> String {
        let name = MarkupText.escaped(outcome.input.name)
        switch outcome.finding {
        case .skipped: return ""
        case .failure(let failure):
            return """
                <li data-score="-1">
                <h3>\(name)</h3>
                <p>\(badge(.unknown)) \(MarkupText.escaped(failure.description))</p>
                </li>

                """
        case .analysis(let analysis): return entry(name, outcome, analysis)
        }
    }

    private static func entry(_ name: String, _ outcome: AnalysisOutcome, _ analysis: MediaAnalysis) -> String {
        let facts = facts(analysis).map(MarkupText.escaped).joined(separator: " · ")
        var lines = [
            "<li data-score=\"\(analysis.score)\">", "<h3>\(name)</h3>",
            "<p>\(badge(analysis.isSensitive ? .sensitive : .notSensitive)) \(outcome.isForReview ? reviewBadge : "")\(facts)</p>",
        ]
        if !analysis.spans.isEmpty {
            let spans = analysis.spans.map {
                "\($0.type.rawValue) from \(TimeCode.text($0.start)) to \(TimeCode.text($0.end))"
            }
            lines.append("<p>\(MarkupText.escaped(spans.joined(separator: "; ")))</p>")
        }
        var details: [String] = []
        if analysis.duration != nil, !analysis.points.isEmpty {
            details.append(ScorePlot(analysis: analysis, title: "Scores of \(outcome.input.name) over time").svg)
        }
        let frames = frames(analysis)
        if !frames.isEmpty { details.append("<ul class=\"frames\">\(frames.joined(separator: "\n"))</ul>") }
        if !details.isEmpty {
            // The name in the summary tells a listener which file it is about.
            let title =
                "<summary>\(analysis.kind == .image ? "Picture" : "Scores and pictures")<span class=\"unseen\"> of \(name)</span></summary>"
            lines.append(
                "<details\(analysis.isSensitive ? " open" : "")>\(title)\n\(details.joined(separator: "\n"))</details>")
        }
        lines.append("</li>\n")
        return lines.joined(separator: "\n")
    }

    private static func badge(_ verdict: Verdict) -> String {
        "<span class=\"verdict \(verdict.rawValue)\">\(ReportPage.words(for: verdict))</span>"
    }

    private static let reviewBadge = "<span class=\"verdict review\">for review</span> "

    private static func facts(_ analysis: MediaAnalysis) -> [String] {
        var facts = [
            analysis.kind.rawValue, "highest score \(String(format: "%.3f", analysis.score))",
            "model \(analysis.modelName)", "policy \(analysis.policy == .descriptive ? "descriptive" : "simple")",
        ]
        if let duration = analysis.duration { facts.insert(TimeCode.text(duration), at: 1) }
        if analysis.kind != .image { facts.append("\(analysis.framesAnalyzed) pictures scored") }
        if !analysis.detectedTypes.isEmpty {
            facts.insert(analysis.detectedTypes.sorted().map(\.rawValue).joined(separator: ", "), at: 0)
        }
        return facts
    }

    /// Returns items with tiny pictures of the frames with the highest scores, in the order of time.
    private static func frames(_ analysis: MediaAnalysis) -> [String] {
        let cover = MarkedCover(analysis).flatMap { $0.regions.isEmpty ? nil : $0 }
        let chosen = analysis.points.sorted { $0.score > $1.score }.prefix(mostFrames).sorted { $0.start < $1.start }
        return chosen.compactMap { point -> String? in
            guard let thumbnail = point.thumbnail else { return nil }
            let isFound =
                analysis.duration == nil
                ? analysis.isSensitive : analysis.spans.contains { $0.start <= point.start && point.start < $0.end }
            let time = analysis.duration == nil ? "" : "\(TimeCode.text(point.start)), "
            let finding = isFound ? "sensitive" : "not sensitive"
            let picture = cover.map { Self.picture($0, finding) } ?? Self.picture(thumbnail, finding)
            return """
                <li\(isFound ? " class=\"found\"" : "")>\(picture) \(time)\(String(format: "%.3f", point.score))</li>
                """
        }
    }

    private static func picture(_ samples: PixelSamples, _ finding: String) -> String {
        let png = PNGPicture(width: samples.width, height: samples.height, pixels: samples.colors)
        return """
            <img width="9" height="9" alt="Picture of few samples, \(finding)" \
            src="data:image/png;base64,\(Data(png.encoded()).base64EncodedString())">
            """
    }

    /// Returns the picture with outlines of the pictures inside it.
    private static func picture(_ cover: MarkedCover, _ finding: String) -> String {
        let (width, height) = (90.0, 90.0 * Double(cover.samples.height) / Double(cover.samples.width))
        let count = cover.regions.count
        var marked = cover
        marked.places = nil
        return """
            <svg viewBox="0 0 \(MarkupText.number(width)) \(MarkupText.number(height))" role="img"><title>Picture of few samples, \
            \(finding), with \(count == 1 ? "a picture" : "\(count) pictures") outlined inside it</title>
            \(marked.elements(width: width, height: height, unit: 0.5).joined(separator: "\n"))
            </svg>
            """
    }

    private static let mostFrames = 12
}
