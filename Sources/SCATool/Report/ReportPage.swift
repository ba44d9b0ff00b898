// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation

/// The parts of the self-contained page of `sca analyze --report`, which has no scripts, and no pictures of the media
/// with more than 9 × 9 samples.
enum ReportPage {
    static func head(date: Date = Date()) -> String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
        <title>Analysis of media</title>
        <style>
        :root { color-scheme: light dark; }
        body { font: 16px/1.45 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
        section { border-top: 1px solid #8884; padding: 1rem 0; }
        h2 { font-size: 1rem; margin: 0 0 .4rem; overflow-wrap: anywhere; }
        .verdict { display: inline-block; padding: .1rem .5rem; border-radius: .3rem; color: #fff; font-weight: 600; }
        .sensitive { background: #a23243; } .notSensitive { background: #2a6f4e; } .unknown { background: #7a5c00; }
        p { margin: .3rem 0; }
        svg { width: 100%; height: auto; margin-top: .5rem; border-radius: .3rem; }
        .frames { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .5rem; }
        figure { margin: 0; font-size: .75rem; text-align: center; }
        figure img { width: 5rem; image-rendering: pixelated; border-radius: .2rem; display: block; }
        figure.found img { outline: 3px solid #a23243; }
        </style>
        <h1>Analysis of media</h1>
        <p>Made on \(day(date)) by sca. Nothing has left this machine. A score is no probability; what cannot be
        analysed is unknown, which is not the same as harmless. Pictures are reduced to at most 9 × 9 samples.</p>

        """
    }

    static func section(_ outcome: AnalysisOutcome) -> String {
        let name = MarkupText.escaped(outcome.path == "-" ? "(standard input)" : outcome.path)
        switch outcome.result {
        case nil: return ""
        case .failure(let failure):
            return """
                <section><h2>\(name)</h2>
                <p><span class="verdict unknown">unknown</span> \(MarkupText.escaped(failure.description))</p></section>

                """
        case .success(let analysis): return section(name, outcome.path, analysis)
        }
    }

    static func foot(_ summary: String) -> String {
        "<section><p>\(MarkupText.escaped(summary))</p></section>\n</html>\n"
    }

    private static func section(_ name: String, _ path: String, _ analysis: MediaAnalysis) -> String {
        let verdict = analysis.isSensitive ? "sensitive" : "notSensitive"
        let words = analysis.isSensitive ? "sensitive" : "not sensitive"
        var lines = [
            "<section><h2>\(name)</h2>",
            "<p><span class=\"verdict \(verdict)\">\(words)</span> \(facts(analysis).map(MarkupText.escaped).joined(separator: " · "))</p>",
        ]
        if !analysis.spans.isEmpty {
            let spans = analysis.spans.map {
                "\($0.type.rawValue) from \(TimeCode.text($0.start)) to \(TimeCode.text($0.end))"
            }
            lines.append("<p>\(MarkupText.escaped(spans.joined(separator: "; ")))</p>")
        }
        if analysis.duration != nil, !analysis.points.isEmpty {
            lines.append(ScorePlot(analysis: analysis, title: "Scores of \(path) over time").svg)
        }
        lines.append(thumbnails(analysis))
        lines.append("</section>\n")
        return lines.joined(separator: "\n")
    }

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

    /// Returns HTML with tiny pictures of the frames with the highest scores, in the order of time.
    private static func thumbnails(_ analysis: MediaAnalysis) -> String {
        let chosen = analysis.points.sorted { $0.score > $1.score }.prefix(mostThumbnails).sorted {
            $0.start < $1.start
        }
        let figures = chosen.compactMap { point -> String? in
            guard let thumbnail = point.thumbnail else { return nil }
            let png = PNGPicture(
                width: thumbnail.width, height: thumbnail.height, pixels: thumbnail.colors, isColour: true)
            let isFound = analysis.spans.contains { $0.start <= point.start && point.start < $0.end }
            let time = analysis.duration == nil ? "" : "\(TimeCode.text(point.start)), "
            return """
                <figure\(isFound ? " class=\"found\"" : "")><img alt="a picture of few samples" \
                src="data:image/png;base64,\(Data(png.encoded()).base64EncodedString())">\
                <figcaption>\(time)\(String(format: "%.3f", point.score))</figcaption></figure>
                """
        }
        return figures.isEmpty ? "" : "<div class=\"frames\">\(figures.joined(separator: "\n"))</div>"
    }

    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }

    private static let mostThumbnails = 12
}

/// Functions for text in HTML and SVG.
enum MarkupText {
    /// Returns a text with its markup characters escaped, and without invisible characters that reverse the shown text.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in TerminalText.printable(text) {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
        return result
    }

    /// Returns a number with at most `decimals` decimals, and never more than three.
    static func number(_ value: Double, decimals: Int = 1) -> String {
        let factor = [1.0, 10, 100, 1000][min(max(decimals, 0), 3)]
        let rounded = (value * factor).rounded() / factor
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
