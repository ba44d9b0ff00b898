// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine

/// The scores of a video over time, with the sensitive stretches marked, as an SVG picture.
struct ScorePlot {
    let analysis: MediaAnalysis
    let title: String

    private static let width = 760.0
    private static let height = 180.0
    private static let left = 36.0
    private static let right = 12.0
    private static let top = 12.0
    private static let bottom = 26.0

    /// The complete SVG picture, for a file or for a page.
    var svg: String {
        let seconds = max(length, 0.001)
        func x(_ moment: Duration) -> Double {
            Self.left + min(1, max(0, moment / .seconds(1) / seconds)) * (Self.width - Self.left - Self.right)
        }
        func y(_ score: Float) -> Double {
            Self.top + (1 - Double(score)) * (Self.height - Self.top - Self.bottom)
        }
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(n(Self.width)) \(n(Self.height))" role="img" \
            font-family="system-ui, sans-serif" font-size="11">
            <title>\(MarkupText.escaped(title))</title><desc>\(MarkupText.escaped(description))</desc>
            <rect width="\(n(Self.width))" height="\(n(Self.height))" fill="#ffffff"/>
            """
        ]
        for span in analysis.spans {
            let start = x(span.start)
            parts.append(
                """
                <rect class="span" x="\(n(start))" y="\(n(Self.top))" width="\(n(max(2, x(span.end) - start)))" \
                height="\(n(Self.height - Self.top - Self.bottom))" fill="#d1495b" fill-opacity="0.25"/>
                """)
        }
        parts += axes(x: x, y: y, seconds: seconds)
        parts += thresholdLines(y)
        parts.append("<path d=\"\(path(x, y))\" fill=\"none\" stroke=\"#1b4965\" stroke-width=\"1.5\"/>")
        for point in analysis.points {
            parts.append(
                "<circle cx=\"\(n(x(point.start)))\" cy=\"\(n(y(point.score)))\" r=\"1.8\" fill=\"#1b4965\"/>")
        }
        return parts.joined(separator: "\n") + "\n</svg>\n"
    }

    private var length: Double {
        let end = analysis.points.map(\.end).max() ?? .zero
        return max(analysis.duration ?? .zero, end) / .seconds(1)
    }

    private var description: String {
        guard !analysis.spans.isEmpty else { return "No stretch is sensitive." }
        return analysis.spans
            .map { "Sensitive from \(TimeCode.text($0.start)) to \(TimeCode.text($0.end))." }.joined(separator: " ")
    }

    /// Returns the data of an SVG path through the scores, level for as long as a frame is known to be shown.
    private func path(_ x: (Duration) -> Double, _ y: (Float) -> Double) -> String {
        analysis.points.enumerated().map { index, point in
            "\(index == 0 ? "M" : "L")\(n(x(point.start))) \(n(y(point.score))) H\(n(x(point.end)))"
        }.joined(separator: " ")
    }

    private func axes(x: (Duration) -> Double, y: (Float) -> Double, seconds: Double) -> [String] {
        var parts: [String] = []
        for score: Float in [0, 0.5, 1] {
            parts.append(
                """
                <line x1="\(n(Self.left))" x2="\(n(Self.width - Self.right))" y1="\(n(y(score)))" y2="\(n(y(score)))" \
                stroke="#dddddd"/><text x="\(n(Self.left - 6))" y="\(n(y(score) + 4))" text-anchor="end" \
                fill="#555555">\(n(Double(score)))</text>
                """)
        }
        for mark in 0...4 {
            let moment = Duration.seconds(seconds * Double(mark) / 4)
            let anchor = ["start", "middle", "middle", "middle", "end"][mark]
            parts.append(
                """
                <text x="\(n(x(moment)))" y="\(n(Self.height - 8))" text-anchor="\(anchor)" \
                fill="#555555">\(TimeCode.text(moment))</text>
                """)
        }
        return parts
    }

    private func thresholdLines(_ y: (Float) -> Double) -> [String] {
        guard let thresholds = analysis.thresholds else { return [] }
        let ordinary = thresholds.threshold(under: analysis.policy)
        return [(ordinary, "counts if it stays"), (thresholds.strong, "counts at once")].map { score, words in
            """
            <line x1="\(n(Self.left))" x2="\(n(Self.width - Self.right))" y1="\(n(y(score)))" y2="\(n(y(score)))" \
            stroke="#d1495b" stroke-dasharray="4 3"/><text x="\(n(Self.width - Self.right))" y="\(n(y(score) - 3))" \
            text-anchor="end" fill="#a23243">\(n(Double(score), 2)): \(words)</text>
            """
        }
    }

    private func n(_ value: Double, _ decimals: Int = 1) -> String { MarkupText.number(value, decimals: decimals) }
}
