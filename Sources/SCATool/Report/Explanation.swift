// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation

/// A picture that explains a score: the cover, the scores of the places in the model's map, and the pictures inside.
struct Explanation {
    private let name: String
    private let analysis: MediaAnalysis
    private let cover: MarkedCover

    /// - Returns: nil for a file without a map and without regions, such as a video.
    init?(_ outcome: AnalysisOutcome) {
        guard case .analysis(let analysis) = outcome.finding, analysis.places != nil || !analysis.regions.isEmpty,
            let cover = MarkedCover(analysis)
        else { return nil }
        (name, self.analysis, self.cover) = (outcome.input.name, analysis, cover)
    }

    /// The complete SVG picture.
    var svg: String {
        let (columns, rows) = (Double(cover.samples.width), Double(cover.samples.height))
        let scale = Self.longerSide / max(columns, rows)
        let (width, height) = (columns * scale, rows * scale)
        let page = max(width, Self.leastWidth)
        let lines = sentences.flatMap { Self.lines(of: $0, length: Int(page / Self.letterWidth)) }
        let text = lines.enumerated().map { index, line in
            "<text x=\"0\" y=\"\(n(height + Self.lineHeight * Double(index + 1)))\">\(MarkupText.escaped(line))</text>"
        }
        let total = height + Self.lineHeight * (Double(lines.count) + 0.5)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -12 \(n(page + 24)) \(n(total + 24))" width="\(n(page + 24))" \
            height="\(n(total + 24))" role="img" font-family="system-ui, sans-serif" font-size="15">
            <title>\(MarkupText.escaped("Explanation of the score of \(name)"))</title>
            <rect x="-12" y="-12" width="\(n(page + 24))" height="\(n(total + 24))" fill="#ffffff"/>
            <clipPath id="picture"><rect width="\(n(width))" height="\(n(height))"/></clipPath>
            <g clip-path="url(#picture)">
            \(cover.elements(width: width, height: height, unit: 1).joined(separator: "\n"))
            </g>
            <rect width="\(n(width))" height="\(n(height))" fill="none" stroke="#777777"/>
            \(text.joined(separator: "\n"))
            </svg>

            """
    }

    private var sentences: [String] {
        var sentences = [
            name,
            "\(analysis.isSensitive ? "Sensitive" : "Not sensitive"), highest score \(String(format: "%.3f", analysis.score)),"
                + " model \(analysis.modelName), policy \(analysis.policy == .descriptive ? "descriptive" : "simple").",
        ]
        if analysis.places != nil {
            sentences.append(
                "The number and the red of each place are its score in the model's map; the score of the picture is not their"
                    + " mean. They explain the model, and not the picture: a red place may be harmless, and a place without"
                    + " red may not be.")
            if leavesOutEdges { sentences.append("The model does not see the edges without numbers.") }
        } else {
            sentences.append("The model has no map of places.")
        }
        if !analysis.regions.isEmpty {
            let scores = analysis.regions.map(\.score).sorted(by: >).map(MarkedCover.text)
            sentences.append(
                "Each dashed line is around a picture inside the picture, which was judged by itself. Scores:"
                    + " \(scores.joined(separator: ", ")). The highest score of all counts.")
        }
        return sentences
    }

    /// Whether the map leaves out so much of the picture that a person sees it.
    private var leavesOutEdges: Bool {
        guard let map = cover.places?.rectangle else { return false }
        return max(map.left, map.top, 1 - map.right, 1 - map.bottom) > Self.visibleEdge
    }

    /// Returns the lines of a text; a word that is too long for a line is broken as well.
    private static func lines(of text: String, length: Int) -> [String] {
        TextFrame.wrapped(text, width: length).flatMap { line in
            let letters = Array(line)
            return stride(from: 0, to: letters.count, by: length).map { start in
                String(letters[start..<min(start + length, letters.count)])
            }
        }
    }

    private func n(_ value: Double) -> String { MarkupText.number(value) }

    /// The longer side of the picture, and the least width of the page, in SVG units.
    private static let (longerSide, leastWidth) = (640.0, 480.0)
    private static let lineHeight = 21.0
    private static let visibleEdge: Float = 0.02
    /// The width of a letter, wide enough for most fonts.
    private static let letterWidth = 8.2
}
