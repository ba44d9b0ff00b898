// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Checks that an SVG file has only what all programs show alike.
///
/// The lists name what is allowed, because each version of a browser knows more, and programs differ about mistakes.
/// Source: Scalable Vector Graphics 1.1 and 2.
package struct SVGStructure {
    /// The windows in which the picture is shown.
    package let windows: [Window]
    /// Whether parts are cut off by a clipping path, which Qt does not do.
    package private(set) var hasClips = false

    private var identifiers: [String: [Int]] = [:]
    /// The names of gradients that shapes use, and that other gradients take their colours from.
    private var (gradientLinks, templateLinks): (Set<String>, Set<String>) = ([], [])
    private var clipLinks: Set<String> = []

    /// A window that shows the picture or a part of it.
    package struct Window: Hashable {
        /// The size in pixels, or in units of a picture without a size.
        package let width: Double
        package let height: Double
        /// The area of the picture that the window shows: left, top, width and height; nil for that of the file.
        package var area: [Double]?

        package var longerSide: Double { max(width, height) }
    }

    /// Returns whether a file begins like XML and has the start of an SVG element.
    static func fits(_ prefix: [UInt8]) -> Bool {
        let mark = prefix.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let start = mark + prefix.dropFirst(mark).prefix { [9, 10, 13, 32].contains($0) }.count
        let beginnings: [StaticString] = ["<?xml", "<svg", "<!--", "<!DOCTYPE svg"]
        return beginnings.contains { prefix.hasText($0, at: start) }
            && String(decoding: prefix, as: UTF8.self).contains("<svg")
    }

    /// - Parameter elements: all elements, each behind its parent.
    package init(_ elements: [SVGElement]) throws(DecodingFailure) {
        let root = try Self.root(of: elements)
        windows = try Self.windows(of: root)
        for (index, element) in elements.enumerated() {
            guard element.namespace != .active else { throw Self.unusual(element.name) }
            guard element.namespace == .svg else { continue }
            try Self.checkPlace(of: element, in: elements)
            try checkAttributes(of: element, in: elements)
            if let identifier = element.value("id") { identifiers[identifier, default: []].append(index) }
        }
        hasClips = !clipLinks.isEmpty
        try checkTargets(of: gradientLinks.union(templateLinks), in: elements, names: Self.gradientNames)
        try checkTargets(of: clipLinks, in: elements, names: ["clipPath"])
    }

    /// Returns the root, after a check that names mean the same to programs that ignore namespaces.
    ///
    /// Qt and ImageMagick show elements of other namespaces by their names, and obey `xlink:href` of any namespace.
    static func root(of elements: [SVGElement]) throws(DecodingFailure) -> SVGElement {
        guard let root = elements.first, root.namespace == .svg, root.name == "svg" else {
            throw DecodingFailure(.unsupportedVariant, format: .svg, detail: "its root is no picture")
        }
        for element in elements {
            guard element.namespace != .other || !shownNames.contains(element.name.lowercased()),
                !element.attributes.contains(where: { $0.namespace == .other && $0.name.lowercased() == "href" })
            else { throw unusual(element.name) }
        }
        return root
    }

    // MARK: Windows

    /// Returns the windows in which a picture may be shown.
    ///
    /// A picture without a size of its own fills any window, which shows more than the area of its view box. Browsers
    /// show the upper left part of a picture that is larger than their window.
    static func windows(of root: SVGElement) throws(DecodingFailure) -> [Window] {
        let box = try root.value("viewBox").map { text throws(DecodingFailure) in
            guard let box = SVGValue.box(text) else { throw unusual("viewBox") }
            return box
        }
        let (width, height) = (root.value("width"), root.value("height"))
        if let width = width.flatMap(SVGValue.length), let height = height.flatMap(SVGValue.length) {
            guard width > 0, height > 0, max(width, height) <= mostPixels else {
                throw DecodingFailure(.windowOfNoSize, .svg)
            }
            // Qt and ImageMagick stretch the view box to the size, and others keep its shape.
            if let box, abs(width / height / (box[2] / box[3]) - 1) > mostStretch { throw unusual("viewBox") }
            let whole = Window(width: width, height: height)
            guard !isShownWhole(width: width, height: height) else { return [whole] }
            return [whole, part(of: whole, box ?? [0, 0, width, height])]
        }
        guard let box, [nil, "100%"].contains(width), [nil, "100%"].contains(height) else {
            throw DecodingFailure(.windowOfNoSize, .svg)
        }
        let (boxWidth, boxHeight) = (box[2], box[3])
        var windows = [Window(width: boxWidth, height: boxHeight)]
        if boxWidth < shape * boxHeight { windows.append(Window(width: shape * boxHeight, height: boxHeight)) }
        if boxHeight < shape * boxWidth { windows.append(Window(width: boxWidth, height: shape * boxWidth)) }
        return windows
    }

    /// Returns whether an ordinary window of a browser shows all of a picture, by its size in pixels.
    static func isShownWhole(width: Double, height: Double) -> Bool {
        width <= ordinaryWindow.width && height <= ordinaryWindow.height
    }

    /// Returns an ordinary window of a browser, which shows the upper left part of a picture with a view box.
    private static func part(of whole: Window, _ box: [Double]) -> Window {
        let (width, height) = (min(whole.width, ordinaryWindow.width), min(whole.height, ordinaryWindow.height))
        let scale = min(whole.width / box[2], whole.height / box[3])
        // The view box lies in the middle of the picture.
        let (left, top) = ((whole.width / scale - box[2]) / 2, (whole.height / scale - box[3]) / 2)
        return Window(
            width: width, height: height, area: [box[0] - left, box[1] - top, width / scale, height / scale])
    }

    /// How far a view box or a picture may be stretched, as rounding of editors makes it.
    package static let mostStretch = 0.05
    /// The longest side of a picture, of which an ordinary window shows enough.
    private static let mostPixels = 2048.0
    /// The size of an ordinary window of a browser, in pixels.
    private static let ordinaryWindow = (width: 1280.0, height: 640.0)
    /// The longer side of a window in shorter sides.
    private static let shape = 6.0

    // MARK: Elements

    /// Checks that an element stands where every program shows it, or shows nothing of it.
    private static func checkPlace(of element: SVGElement, in elements: [SVGElement]) throws(DecodingFailure) {
        guard let parents = parents[element.name] else { throw unusual(element.name) }
        guard let place = element.parent else { return }
        let parent = elements[place]
        guard element.name != "svg", parent.namespace == .svg, parents.isEmpty || parents.contains(parent.name) else {
            throw unusual(element.name)
        }
        guard parent.name == "clipPath" else { return }
        // Programs differ about parts of a clipping path that are hidden or clipped themselves.
        for name in ["display", "visibility", "clip-path"] {
            guard element.value(name) == nil, element.value("style")?.contains(name) != true else {
                throw unusual(name)
            }
        }
    }

    /// Checks that each name that is used belongs to one element of the right kind that is not hidden itself.
    private func checkTargets(
        of links: Set<String>, in elements: [SVGElement], names: Set<String>
    ) throws(DecodingFailure) {
        for link in links {
            guard let places = identifiers[link], places.count == 1, names.contains(elements[places[0]].name) else {
                throw DecodingFailure(.identifierTwice, .svg)
            }
            let target = elements[places[0]]
            if gradientLinks.contains(link) { try checkGradient(target, at: places[0], in: elements) }
            var parent: Int? = places[0]
            while let place = parent {
                let element = elements[place]
                guard element.value("display") == nil, element.value("style")?.contains("display") != true else {
                    throw Self.unusual("display")
                }
                parent = element.parent
            }
        }
    }

    /// Checks that a gradient has colours, or another gradient has them for it, and that its place is certain.
    private func checkGradient(
        _ gradient: SVGElement, at place: Int, in elements: [SVGElement]
    ) throws(DecodingFailure) {
        // The other unit, the default, leaves shapes without a height or a width in doubt.
        guard gradient.value("gradientUnits") == "userSpaceOnUse" else { throw Self.unusual("gradientUnits") }
        guard gradient.name == "linearGradient" || gradient.value("r").flatMap(SVGValue.pixels).map({ $0 > 0 }) == true
        else { throw Self.unusual("r") }
        let other = gradient.link.flatMap { identifiers[String($0.dropFirst())]?.first }
        if let other, elements[other].link != nil { throw Self.unusual("href") }
        guard elements.contains(where: { $0.name == "stop" && ($0.parent == place || $0.parent == other) }) else {
            throw Self.unusual("stop")
        }
    }

    // MARK: Attributes

    private mutating func checkAttributes(
        of element: SVGElement, in elements: [SVGElement]
    ) throws(DecodingFailure) {
        if let link = element.link, element.name != "a" {
            guard Self.gradientNames.contains(element.name), element.hasOneLink, link.hasPrefix("#"),
                SVGValue.isName(String(link.dropFirst()))
            else { throw DecodingFailure(.linkOutside, .svg) }
            templateLinks.insert(String(link.dropFirst()))
        }
        if element.name == "radialGradient" {
            guard element.value("fx") == nil || element.value("fx") == element.value("cx"),
                element.value("fy") == nil || element.value("fy") == element.value("cy")
            else { throw Self.unusual("fx") }
        }
        for attribute in element.attributes {
            guard attribute.namespace != .xml || attribute.name != "base" else { throw Self.unusual("base") }
            guard attribute.namespace == .none, attribute.name != "href" else { continue }
            try checkAttribute(attribute.name, attribute.value, of: element)
        }
    }

    private mutating func checkAttribute(
        _ name: String, _ value: String, of element: SVGElement
    ) throws(DecodingFailure) {
        let isRight: Bool
        switch name {
        case "style": return try checkDeclarations(value)
        case "d": isRight = SVGNumberReader.isPath(value)
        case "points": isRight = SVGValue.numbers(value)?.count.isMultiple(of: 2) == true
        case "transform": isRight = Self.shapes.contains(element.name) && SVGValue.isTransform(value)
        case "gradientTransform": isRight = Self.gradientNames.contains(element.name) && SVGValue.isTransform(value)
        case "gradientUnits": isRight = ["userSpaceOnUse", "objectBoundingBox"].contains(value)
        case "clipPathUnits": isRight = value == "userSpaceOnUse"
        case "spreadMethod": isRight = ["pad", "reflect", "repeat"].contains(value)
        case "preserveAspectRatio":
            isRight = element.parent == nil && ["xMidYMid", "xMidYMid meet"].contains(value)
        case "viewBox": isRight = element.parent == nil
        case "offset":
            let number = SVGValue.number(value.hasSuffix("%") ? value.dropLast() : value[...])
            isRight = number.map { (0...(value.hasSuffix("%") ? 100 : 1)).contains($0) } == true
        case "clip-path":
            guard let link = SVGValue.link(value), Self.shapes.contains(element.name) else { throw Self.unusual(name) }
            clipLinks.insert(link)
            return
        case "width", "height", "r", "rx", "ry":
            // The root has been looked at.
            isRight = element.parent == nil || SVGValue.pixels(value).map { $0 >= 0 } == true
        case "x", "y", "cx", "cy", "fx", "fy", "x1", "x2", "y1", "y2": isRight = SVGValue.pixels(value) != nil
        default:
            if Self.idleNames.contains(name) || name.hasPrefix("data-") || name.hasPrefix("aria-") { return }
            guard let kind = SVGValue.kinds[name] else { throw Self.unusual(name) }
            return try checkValue(value, kind, name)
        }
        guard isRight else { throw Self.unusual(name) }
    }

    private mutating func checkDeclarations(_ text: String) throws(DecodingFailure) {
        for quote in "'\"" {
            guard text.count(where: { $0 == quote }).isMultiple(of: 2) else { throw Self.unusual("style") }
        }
        for declaration in text.split(separator: ";") where !declaration.allSatisfy(\.isWhitespace) {
            let parts = declaration.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw Self.unusual("style") }
            let (name, value) = (Self.trimmed(parts[0]), Self.trimmed(parts[1]))
            guard let kind = name.hasPrefix("-inkscape-") ? .anything : SVGValue.kinds[name] else {
                throw Self.unusual(name)
            }
            try checkValue(value, kind, name)
        }
    }

    private mutating func checkValue(
        _ value: String, _ kind: SVGValue.Kind, _ name: String
    ) throws(DecodingFailure) {
        guard let gradient = SVGValue.gradient(of: value, kind) else { throw Self.unusual(name) }
        if !gradient.isEmpty { gradientLinks.insert(gradient) }
    }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace = { (character: Character) in [" ", "\t", "\n", "\r", "\r\n"].contains(character) }
        return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }

    /// The failure of an element, an attribute or a property that programs may show differently.
    static func unusual(_ name: String) -> DecodingFailure {
        let isPlain = name.utf8.count <= 32 && name.utf8.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0 | 0x20) }
        return DecodingFailure(.unusualPart(isPlain ? name : "?"), .svg)
    }

    // MARK: Names

    private static let gradientNames: Set = ["linearGradient", "radialGradient"]
    /// The elements that are shown, with the groups of them.
    private static let shapes: Set = [
        "g", "a", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
    ]
    /// The elements that are known, and those in which each may stand; none for all.
    private static let parents: [String: Set<String>] = {
        var parents: [String: Set<String>] = [
            "svg": [], "title": [], "desc": [], "metadata": [], "stop": gradientNames, "defs": ["svg", "g", "defs"],
            "linearGradient": ["svg", "g", "defs"], "radialGradient": ["svg", "g", "defs"],
            "clipPath": ["svg", "g", "defs"],
        ]
        for name in shapes { parents[name] = ["svg", "g", "a", "defs"] }
        for name in shapes.subtracting(["g", "a"]) { parents[name]?.insert("clipPath") }
        return parents
    }()
    /// The names, in small letters, of elements that a program shows or obeys.
    private static let shownNames: Set = [
        "svg", "g", "a", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "image", "use", "symbol",
        "switch", "defs", "style", "script", "text", "tspan", "tref", "textpath", "textarea", "tbreak", "flowroot",
        "font",
        "font-face", "glyph", "missing-glyph", "lineargradient", "radialgradient", "meshgradient", "hatch", "stop",
        "solidcolor", "clippath", "mask", "pattern", "marker", "filter", "foreignobject", "animate", "animatecolor",
        "animatemotion", "animatetransform", "set", "mpath", "view", "cursor", "video", "audio", "canvas", "iframe",
        "object", "embed", "img", "html", "body",
    ]
    /// Attributes that change nothing of the picture.
    static let idleNames: Set = [
        "id", "class", "version", "baseProfile", "role", "focusable", "tabindex", "lang", "zoomAndPan", "name",
        "target",
        "contentScriptType", "contentStyleType",
    ]
}

extension SVGElement {
    private var links: [Attribute] {
        attributes.filter { $0.name == "href" && ($0.namespace == .none || $0.namespace == .xlink) }
    }

    /// The link of an element, in either of its two forms.
    var link: String? { links.first?.value }

    var hasOneLink: Bool { links.count == 1 }
}
