// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A plot of shares over shares, both from 0 to 1, as an SVG picture.
struct SharePlot {
    let title: String
    /// The plot in words, for a person who does not see it.
    let description: String
    let horizontal: String
    let vertical: String
    /// The text of the highest mark of the vertical axis; the lowest is 0.
    var top = "1"
    private var parts: [String] = []

    private static let (width, height) = (420.0, 330.0)
    private static let (left, right, above, below) = (52.0, 14.0, 14.0, 46.0)
    /// The colours of series, which differ in lightness as well.
    static let colours = ["#1b4965", "#c1440e"]

    init(title: String, description: String, horizontal: String, vertical: String) {
        (self.title, self.description) = (title, description)
        (self.horizontal, self.vertical) = (horizontal, vertical)
    }

    private func x(_ value: Double) -> Double {
        Self.left + min(max(value, 0), 1) * (Self.width - Self.left - Self.right)
    }

    private func y(_ value: Double) -> Double {
        Self.above + (1 - min(max(value, 0), 1)) * (Self.height - Self.above - Self.below)
    }

    /// Adds a line through points; a second series is dashed.
    mutating func addLine(_ points: [(Double, Double)], series: Int = 0) {
        guard !points.isEmpty else { return }
        let path = points.map { "\(n(x($0.0))) \(n(y($0.1)))" }.joined(separator: " L")
        let dashes = series == 0 ? "" : " stroke-dasharray=\"6 3\""
        parts.append(
            "<path d=\"M\(path)\" fill=\"none\" stroke=\"\(Self.colours[series])\" stroke-width=\"2\"\(dashes)/>")
    }

    /// Adds the line of equal shares.
    mutating func addDiagonal() {
        parts.append(
            """
            <line x1="\(n(x(0)))" y1="\(n(y(0)))" x2="\(n(x(1)))" y2="\(n(y(1)))" stroke="#999999" stroke-dasharray="3 4"/>
            """)
    }

    /// Adds a point with a text beside it.
    mutating func addPoint(_ point: (Double, Double), text: String = "", series: Int = 0) {
        let (px, py) = (x(point.0), y(point.1))
        parts.append("<circle cx=\"\(n(px))\" cy=\"\(n(py))\" r=\"4\" fill=\"\(Self.colours[series])\"/>")
        guard !text.isEmpty else { return }
        let isRight = point.0 > 0.6
        parts.append(
            """
            <text x="\(n(px + (isRight ? -8 : 8)))" y="\(n(py + 14))" text-anchor="\(isRight ? "end" : "start")" \
            fill="#222222">\(MarkupText.escaped(text))</text>
            """)
    }

    /// Adds the interval of a point as a vertical line.
    mutating func addInterval(at value: Double, from low: Double, to high: Double) {
        parts.append(
            """
            <line x1="\(n(x(value)))" x2="\(n(x(value)))" y1="\(n(y(low)))" y2="\(n(y(high)))" \
            stroke="\(Self.colours[0])"/>
            """)
    }

    /// Adds a bar between two values of the horizontal axis; the second series is drawn as an outline.
    mutating func addBar(from start: Double, to end: Double, height: Double, series: Int) {
        let (left, top) = (x(start), y(height))
        let fill = series == 0 ? "fill=\"\(Self.colours[0])\" fill-opacity=\"0.55\"" : "fill=\"none\""
        parts.append(
            """
            <rect x="\(n(left + 1))" y="\(n(top))" width="\(n(x(end) - left - 2))" height="\(n(y(0) - top))" \
            \(fill) stroke="\(Self.colours[series])" stroke-width="1.5"/>
            """)
    }

    /// The complete SVG picture.
    var svg: String {
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(n(Self.width)) \(n(Self.height))" role="img" \
            font-family="system-ui, sans-serif" font-size="12">
            <title>\(MarkupText.escaped(title))</title><desc>\(MarkupText.escaped(description))</desc>
            <rect width="\(n(Self.width))" height="\(n(Self.height))" fill="#ffffff"/>
            """
        ]
        for mark in [0, 0.25, 0.5, 0.75, 1] {
            lines.append(
                """
                <line x1="\(n(x(0)))" x2="\(n(x(1)))" y1="\(n(y(mark)))" y2="\(n(y(mark)))" stroke="#dddddd"/>\
                <line x1="\(n(x(mark)))" x2="\(n(x(mark)))" y1="\(n(y(0)))" y2="\(n(y(1)))" stroke="#eeeeee"/>\
                <text x="\(n(x(mark)))" y="\(n(y(0) + 16))" text-anchor="middle" fill="#444444">\(n(mark, 2))</text>
                """)
            guard top == "1" || mark == 0 || mark == 1 else { continue }
            lines.append(
                """
                <text x="\(n(x(0) - 6))" y="\(n(y(mark) + 4))" text-anchor="end" fill="#444444">\
                \(mark == 1 ? MarkupText.escaped(top) : n(mark, 2))</text>
                """)
        }
        let middle = n((y(0) + y(1)) / 2)
        lines.append(
            """
            <text x="\(n((x(0) + x(1)) / 2))" y="\(n(Self.height - 8))" text-anchor="middle" fill="#222222">\
            \(MarkupText.escaped(horizontal))</text>
            <text x="14" y="\(middle)" text-anchor="middle" transform="rotate(-90 14 \(middle))" fill="#222222">\
            \(MarkupText.escaped(vertical))</text>
            """)
        return (lines + parts).joined(separator: "\n") + "\n</svg>\n"
    }

    private func n(_ value: Double, _ decimals: Int = 1) -> String { MarkupText.number(value, decimals: decimals) }
}
