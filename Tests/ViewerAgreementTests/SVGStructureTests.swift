// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@testable import ViewerAgreement

@Suite("The structure of an SVG file")
struct SVGStructureTests {
    private static func element(_ name: String, _ attributes: [String: String] = [:], in parent: Int? = 0) -> SVGElement
    {
        let list = attributes.map { name, value in
            name == "xlink:href"
                ? SVGElement.Attribute(.xlink, "href", value) : SVGElement.Attribute(.none, name, value)
        }
        return SVGElement(.svg, name, list, parent: parent)
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
            (
                "path",
                ["d": "M 0 0 L 1-1.5e0h1,2v3zm1.5.5c1 2 3 4 5 6s1 2 3 4q1 2 3 4t1 2a1 2 0 013 4Z", "fill": "none"]
            ),
            ("path", ["d": "", "transform": "matrix(1 0 0 1e0 0,0) rotate( -3 )translate(1)"]),
            ("polygon", ["points": "1,2 3-4 5,6"]),
            (
                "rect",
                ["x": "-1.5e1", "width": "5px", "style": "fill:#FFF;stroke : rgb(1, 2,3);opacity:.5; display:inline"]
            ),
            (
                "g",
                [
                    "class": "b", "style": "mix-blend-mode:normal;-inkscape-stroke:none;font-family:'Open Sans'",
                    "data-x": "(7)",
                ]
            ),
            (
                "circle",
                [
                    "fill": "CornflowerBlue", "stroke-width": "1", "stroke-dasharray": "1 2,3",
                    "paint-order": "markers stroke",
                ]
            ),
            ("a", ["href": "https://example.org"]), ("title", [:]), ("metadata", [:]),
        ] as [(String, [String: String])])
    func `Shapes and properties that every program knows are judged`(name: String, attributes: [String: String]) {
        #expect(Self.outcome([Self.element(name, attributes)]) == "judged")
    }

    @Test(arguments: [
        "script", "style", "text", "foreignObject", "animate", "image", "filter", "switch", "use", "symbol", "marker",
        "mask",
        "pattern", "svg", "view",
    ])
    func `An element that only some programs show, or show alike, makes the file unknown`(name: String) {
        #expect(Self.outcome([Self.element(name)]) == name)
    }

    @Test(arguments: [
        ("onload", "x()"), ("systemLanguage", "de"), ("filter", "url(#a)"), ("width", "10vw"), ("width", "-1"),
        ("x", "calc(1px)"),
        ("x", "5."), ("x", "1e39"), ("x", "2em"), ("x", "4in"), ("transform", "translate3d(1,2,3)"),
        ("transform", "translate(-1),"),
        ("transform", "rotate(3"), ("transform", "scale(0)"), ("transform", "matrix(1 1 1 1 0 0)"),
        ("transform", "rotate(1 2)"),
        ("fill", "Canvas"), ("fill", "url(other.svg#a)"), ("fill", "url(#a) red"), ("fill", "url(#%61)"),
        ("fill", "rgb(1 2 3)"),
        ("clip-path", "circle(5px)"), ("opacity", "50%"), ("opacity", ".003"), ("stroke-width", "62.5rem"),
        ("stroke-width", "initial"), ("stroke-dasharray", "0 100vw"), ("display", "contents"), ("overflow", "initial"),
        ("shape-rendering", "crispEdges"), ("d", "M2,2,h6"), ("d", "L1 1"), ("d", "M1"), ("d", "M1 1a0 1 0 0 0 1 1"),
        ("d", "M1 1x2"),
        ("points", "1 2 3"), ("points", "1 2,"), ("viewBox", "0 0 1 1"), ("preserveAspectRatio", "none"),
        ("pathLength", "1"),
    ])
    func `A value that programs read differently makes the file unknown`(name: String, value: String) {
        #expect(Self.outcome([Self.element("rect", [name: value])]) == name)
    }

    @Test(arguments: [
        ("d: path('M0 0')", "d"), ("fill:var(--x)", "fill"), ("--x: red", "--x"), ("width:3px", "width"),
        ("DISPLAY:none", "DISPLAY"),
        ("vector-effect:non-scaling-stroke", "vector-effect"), ("transform:scale(2)", "transform"), ("fill", "style"),
        ("clip-path:url(#a)", "clip-path"), ("background:red", "background"), ("font-family:'a", "style"),
        ("font-family:\"/*\"", "font-family"), ("fill:r\\65 d", "fill"), ("display:none !important", "display"),
    ])
    func `A style has properties that every program knows`(style: String, reason: String) {
        #expect(Self.outcome([Self.element("rect", ["style": style])]) == reason)
    }

    private static func gradient(_ attributes: [String: String] = [:], name: String = "linearGradient") -> SVGElement {
        element(name, ["id": "a", "gradientUnits": "userSpaceOnUse"].merging(attributes) { $1 })
    }

    private static let painted = element("rect", ["fill": "url(#a)"])

    @Test func `A gradient is certain if it has colours, a place and a name of its own`() {
        let stop = Self.element("stop", ["offset": "50%", "stop-color": "red", "stop-opacity": "1"], in: 1)
        let plain = Self.gradient()
        #expect(Self.outcome([plain, stop, Self.painted]) == "judged")
        let template = Self.element("linearGradient", ["id": "b"])
        let user = Self.gradient(["xlink:href": "#b"])
        #expect(Self.outcome([template, stop, user, Self.painted]) == "judged")
        let round = Self.gradient(
            ["cx": "1", "cy": "2", "r": "3", "fx": "1", "gradientTransform": "scale(2)"], name: "radialGradient")
        #expect(Self.outcome([round, stop, Self.painted]) == "judged")
        for (elements, reason) in [
            ([plain, Self.painted], "stop"), ([Self.painted], "a name that belongs to no element"),
            ([plain, stop, plain, Self.painted], "a name that belongs to no element"),
            ([Self.element("g", ["id": "a"]), Self.painted], "a name that belongs to no element"),
            ([Self.gradient(["gradientUnits": "objectBoundingBox"]), stop, Self.painted], "gradientUnits"),
            ([Self.element("linearGradient", ["id": "a"]), stop, Self.painted], "gradientUnits"),
            ([Self.gradient(["r": "0"], name: "radialGradient"), stop, Self.painted], "r"),
            ([Self.gradient(["r": "1", "fx": "2"], name: "radialGradient"), stop, Self.painted], "fx"),
            ([Self.gradient(["display": "none"]), stop, Self.painted], "display"),
            ([Self.gradient(["href": "other.svg#b"]), stop, Self.painted], "a link to another file"),
            ([Self.gradient(["href": "#a", "xlink:href": "#b"]), stop, Self.painted], "a link to another file"),
            ([Self.gradient(["xlink:href": "#a"]), stop, Self.painted], "href"),
        ] {
            #expect(Self.outcome(elements) == reason)
        }
    }

    @Test func `A clipping path has plain shapes, and is left out in a further look`() throws {
        let clip = Self.element("clipPath", ["id": "c"])
        let user = Self.element("g", ["clip-path": "url(#c)"])
        let structure = try SVGStructure([Self.root, clip, Self.element("rect", in: 1), user])
        #expect(structure.hasClips)
        #expect(try !SVGStructure([Self.root, clip]).hasClips)
        for (attributes, reason) in [(["display": "none"], "display"), (["style": "visibility:hidden"], "visibility")] {
            #expect(Self.outcome([clip, Self.element("rect", attributes, in: 1), user]) == reason)
        }
        #expect(Self.outcome([clip, Self.element("g", in: 1), user]) == "g")
        #expect(
            Self.outcome([Self.element("clipPath", ["id": "c", "clipPathUnits": "objectBoundingBox"]), user])
                == "clipPathUnits")
        #expect(Self.outcome([user]) == "a name that belongs to no element")
    }

    @Test func `Elements of XHTML make a file unknown, and notes of drawing programs do not`() {
        #expect(Self.outcome([SVGElement(.active, "p", parent: 0)]) == "p")
        let note = SVGElement(.other, "namedview", parent: 0)
        #expect(Self.outcome([note]) == "judged")
        #expect(Self.outcome([note, Self.element("rect", in: 1)]) == "rect")
        #expect(Self.outcome([Self.element("rect"), Self.element("rect", in: 1)]) == "rect")
        #expect(Self.outcome([], root: Self.element("g", in: nil)) == "unsupportedVariant")
    }

    @Test func `A drawing that is larger than a window of a browser is drawn in that window as well`() throws {
        func areas(_ attributes: [String: String]) throws -> [[Double]?] {
            try SVGStructure([Self.element("svg", attributes, in: nil)]).windows.map(\.area)
        }
        #expect(try areas(["width": "1280", "height": "640"]) == [nil])
        #expect(try areas(["width": "2000", "height": "600"]) == [nil, [0, 0, 1280, 600]])
        #expect(
            try areas(["width": "2000", "height": "1000", "viewBox": "10 20 200 100"]) == [nil, [10, 20, 128, 64]])
        // The view box lies in the middle of the picture, which is 4 % wider.
        #expect(
            try areas(["width": "2000", "height": "2000", "viewBox": "0 0 96 100"]) == [nil, [-2, 0, 64, 32]])
    }

    @Test func `A picture without a size of its own is drawn in windows of three shapes`() throws {
        let fixed = try SVGStructure([Self.root])
        #expect(fixed.windows.map(\.area) == [nil] && fixed.windows.map(\.longerSide) == [20])
        let inches = try SVGStructure([Self.element("svg", ["width": "1in", "height": "72pt"], in: nil)])
        #expect(inches.windows.map(\.longerSide) == [96])
        for attributes in [["viewBox": "0,0 30 10"], ["viewBox": "0 0 30 10", "width": "100%", "height": "100%"]] {
            let free = try SVGStructure([Self.element("svg", attributes, in: nil)])
            #expect(free.windows.map(\.width) == [30, 60, 30] && free.windows.map(\.height) == [10, 10, 180])
        }
        for attributes in [
            [:], ["width": "0", "height": "1"], ["width": "9"], ["viewBox": "0 0 30 10", "width": "5"],
            ["viewBox": "0 0 30 10", "width": "100%", "height": "20%"], ["width": "2049", "height": "1"],
        ] {
            #expect(Self.outcome([], root: Self.element("svg", attributes, in: nil)) == "no width")
        }
        for box in ["0 0 0 9", "0 0 9", "0 0 9 9 9", "0 0 9 9,"] {
            #expect(Self.outcome([], root: Self.element("svg", ["viewBox": box], in: nil)) == "viewBox")
        }
    }
}
