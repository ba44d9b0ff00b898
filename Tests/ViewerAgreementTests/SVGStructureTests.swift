// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@testable import ViewerAgreement

@Suite("The structure of an SVG file")
struct SVGStructureTests {
    private typealias Attributes = [String: String]

    private static func element(
        _ name: String, _ attributes: Attributes = [:], text: String = "", in parent: Int? = 0
    ) -> SVGElement {
        let list = attributes.map { name, value in
            name == "xlink:href"
                ? SVGElement.Attribute(.xlink, "href", value) : SVGElement.Attribute(.none, name, value)
        }
        return SVGElement(.svg, name, list, text: text, parent: parent)
    }

    private static let root = element("svg", ["width": "20", "height": "10px"], in: nil)

    /// Returns "judged", or the reason of the failure in words.
    private static func outcome(_ elements: [SVGElement], root: SVGElement = root) -> String {
        do throws(DecodingFailure) {
            _ = try SVGStructure([root] + elements)
            return "judged"
        } catch {
            let words = error.disagreement?.words ?? "\(error.reason)"
            return words.split(separator: ",").first.map(String.init) ?? words
        }
    }

    @Test(
        arguments: [
            ("path", ["d": "M 0 0 L 1 1", "fill": "url(#a) red", "transform": "matrix(1 0 0 1e0 0,0) rotate(3)"]),
            (
                "rect",
                [
                    "x": "-1.5e1", "width": "50%", "height": "2em",
                    "style": "fill:#FFF;stroke : rgb(1, 2%, 3);opacity:.5",
                ]
            ),
            ("use", ["xlink:href": "#a"]),
            ("g", ["class": "b", "style": "mix-blend-mode:normal;-inkscape-stroke:none"]),
            ("circle", ["fill": "CornflowerBlue", "stroke-width": "1", "clip-path": "url('#a')", "data-x": "(7)"]),
            ("style", [:]), ("a", ["href": "https://example.org"]),
        ] as [(String, [String: String])])
    func `Shapes and properties that every program knows are judged`(name: String, attributes: [String: String]) {
        #expect(Self.outcome([Self.element(name, attributes)]) == "judged")
    }

    @Test(
        arguments: [
            ("script", [:], "script"), ("foreignObject", [:], "foreignObject"), ("animate", [:], "animate"),
            ("image", [:], "image"),
            ("filter", [:], "filter"), ("switch", [:], "switch"), ("blink9", [:], "?"),
            ("g", ["onload": "x()"], "onload"),
            ("g", ["systemLanguage": "de"], "systemLanguage"), ("g", ["filter": "url(#a)"], "filter"),
            ("use", ["href": "other.svg#a"], "a link to another file"),
            ("use", ["href": "#a", "xlink:href": "#b"], "an element with two links"),
            ("rect", ["width": "10vw"], "width"), ("rect", ["x": "calc(1px)"], "x"),
            ("rect", ["transform": "translate3d(1,2,3)"], "transform"),
            ("rect", ["fill": "Canvas"], "fill"), ("rect", ["fill": "color-mix(in srgb, red, blue)"], "fill"),
            ("rect", ["fill": "url(other.svg#a)"], "fill"), ("rect", ["clip-path": "circle(5px)"], "clip-path"),
            ("rect", ["opacity": "50%"], "opacity"), ("rect", ["style": "d: path('M0 0')"], "d"),
            ("rect", ["style": "fill:var(--x)"], "fill"), ("rect", ["style": "--x: red"], "--x"),
            ("rect", ["style": "width:3px"], "width"),
            ("rect", ["style": "vector-effect:non-scaling-stroke"], "vector-effect"),
            ("svg", ["transform": "scale(2)"], "transform"),
            ("rect", ["style": "transform:scale(2)"], "transform"), ("rect", ["style": "fill"], "style"),
        ] as [(String, [String: String], String)])
    func `A part that only some programs know makes the file unknown`(
        name: String, attributes: [String: String], reason: String
    ) {
        #expect(Self.outcome([Self.element(name, attributes)]) == reason)
    }

    @Test(arguments: [
        (".a, #b > c { fill: red }\n/* url(x) @media */ d{stroke:none;}", "judged"),
        ("@media print { a {fill: red} }", "style"),
        ("@import 'x';", "style"), ("a:hover { fill: red }", "style"), ("a[b] { fill: red }", "style"),
        ("a { background: url(x) }", "background"), ("a { fill: \\72 ed }", "fill"), ("/* a { fill: red }", "style"),
        ("a { b { fill: red } }", "style"),
    ])
    func `A style sheet has plain selectors and properties`(text: String, outcome: String) {
        #expect(Self.outcome([Self.element("style", text: text)]) == outcome)
    }

    @Test func `Text is left out only where it is shown as text, and if there is little of it`() {
        let text = Self.element("text", ["id": "t"], text: "a")
        #expect(Self.outcome([text, Self.element("tspan", text: "b", in: 1)]) == "judged")
        for name in ["clipPath", "mask", "pattern", "defs", "symbol", "marker"] {
            #expect(Self.outcome([Self.element(name), Self.element("text", in: 1)]) == "text as a part of a shape")
        }
        #expect(Self.outcome([text, Self.element("use", ["href": "#t"])]) == "text as a part of a shape")
        let group = Self.element("g", ["id": "g"])
        #expect(
            Self.outcome([group, Self.element("text", in: 1), Self.element("use", ["href": "#g"])])
                == "text as a part of a shape")
        #expect(
            Self.outcome([Self.element("text", text: String(repeating: "x", count: 1001))])
                == "more text than can be left out")
        #expect(Self.outcome(Array(repeating: text, count: 101)) == "more text than can be left out")
    }

    @Test func `Elements of one name make a file unknown if another uses them`() {
        let twice = [Self.element("g", ["id": "a"]), Self.element("g", ["id": "a"])]
        #expect(Self.outcome(twice) == "judged")
        #expect(Self.outcome(twice + [Self.element("use", ["href": "#a"])]) == "two elements of one name")
    }

    @Test func `Elements of XHTML make a file unknown, and notes of drawing programs do not`() {
        #expect(Self.outcome([SVGElement(.active, "p", parent: 0)]) == "p")
        #expect(Self.outcome([SVGElement(.other, "namedview", parent: 0)]) == "judged")
        #expect(Self.outcome([], root: Self.element("g", in: nil)) == "unsupportedVariant")
    }

    @Test func `A picture without a size of its own is drawn in windows of three shapes`() throws {
        let fixed = try SVGStructure([Self.root])
        #expect(fixed.windows.count == 1 && fixed.windows[0] == nil && fixed.longerSides == [20])
        let inches = try SVGStructure([Self.element("svg", ["width": "1in", "height": "72pt"], in: nil)])
        #expect(inches.longerSides == [96])
        for attributes in [["viewBox": "0,0 30 10"], ["viewBox": "0 0 30 10", "width": "100%", "height": "5"]] {
            let free = try SVGStructure([Self.element("svg", attributes, in: nil)])
            #expect(free.windows.map { $0?.width } == [30, 90, 30] && free.windows.map { $0?.height } == [10, 10, 30])
            #expect(free.longerSides == [30, 90, 30])
        }
        for attributes in [
            [:], ["viewBox": "0 0 0 9"], ["viewBox": "0 0 9"], ["width": "0", "height": "1"], ["width": "9"],
        ] {
            #expect(Self.outcome([], root: Self.element("svg", attributes, in: nil)) == "no size of its own")
        }
    }
}
