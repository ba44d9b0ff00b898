// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Checks that an SVG file has only what librsvg shows as browsers do.
///
/// The lists name what is allowed, because each version of a browser knows more. Source: Scalable Vector Graphics 1.1
/// and 2; CSS 2.1.
package struct SVGStructure {
    /// The sizes of windows in which the picture is shown, in units of its own; nil for the size in the file.
    package let windows: [(width: Double, height: Double)?]
    /// The larger side of each window.
    package let longerSides: [Double]

    /// - Parameter elements: all elements, each behind its parent.
    package init(_ elements: [SVGElement]) throws(DecodingFailure) {
        guard let root = elements.first, root.namespace == .svg, root.name == "svg" else {
            throw DecodingFailure(.unsupportedVariant, format: .svg, detail: "its root is no picture")
        }
        var identifiers: [String: Int] = [:]
        var targets: Set<String> = []
        var textCount = (elements: 0, letters: 0)
        var identifiersOfTexts: Set<String> = []
        for element in elements {
            guard element.namespace != .active else { throw Self.unusual(element.name) }
            guard element.namespace == .svg else { continue }
            guard Self.names.contains(element.name) else { throw Self.unusual(element.name) }
            if element.name == "style" { try Self.checkSheet(element, &targets) }
            if Self.textNames.contains(element.name) {
                textCount = (textCount.elements + 1, textCount.letters + element.text.count)
                identifiersOfTexts.formUnion(try Self.identifiers(aroundText: element, in: elements))
            }
            try Self.checkAttributes(of: element, &targets)
            if let identifier = element.value("id") { identifiers[identifier, default: 0] += 1 }
        }
        // Text can draw a picture of many letters. It is left out, because fonts differ.
        guard textCount.elements <= Self.mostTexts, textCount.letters <= Self.mostLetters else {
            throw DecodingFailure(.muchText, .svg)
        }
        guard targets.allSatisfy({ identifiers[$0, default: 0] <= 1 }) else {
            throw DecodingFailure(.identifierTwice, .svg)
        }
        guard targets.isDisjoint(with: identifiersOfTexts) else { throw DecodingFailure(.textAsShape, .svg) }
        (windows, longerSides) = try Self.windows(of: root)
    }

    /// Returns the windows in which a picture may be shown.
    ///
    /// A picture without a size of its own fills any window, which shows more than the area of its view box.
    private static func windows(
        of root: SVGElement
    ) throws(DecodingFailure) -> ([(width: Double, height: Double)?], [Double]) {
        let box = try root.value("viewBox").map { text throws(DecodingFailure) in try viewBox(text) }
        if let width = root.value("width").flatMap(SVGValue.pixels),
            let height = root.value("height").flatMap(SVGValue.pixels)
        {
            guard width > 0, height > 0 else { throw DecodingFailure(.windowOfNoSize, .svg) }
            return ([nil], [max(width, height)])
        }
        guard let box else { throw DecodingFailure(.windowOfNoSize, .svg) }
        let sizes = [(1.0, 1.0), (3.0, 1.0), (1.0, 3.0)].map { (width: box.width * $0.0, height: box.height * $0.1) }
        return (sizes, sizes.map { max($0.width, $0.height) })
    }

    private static func viewBox(_ text: String) throws(DecodingFailure) -> (width: Double, height: Double) {
        let numbers = text.split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[2] > 0, numbers[3] > 0 else {
            throw DecodingFailure(.windowOfNoSize, .svg)
        }
        return (numbers[2], numbers[3])
    }

    // MARK: Elements

    private static func checkAttributes(of element: SVGElement, _ targets: inout Set<String>) throws(DecodingFailure) {
        let links = element.attributes.filter { $0.name == "href" && [.none, .xlink].contains($0.namespace) }
        guard links.count <= 1 else { throw DecodingFailure(.twoLinks, .svg) }
        if let link = links.first, element.name != "a" {
            guard link.value.hasPrefix("#"), link.value.count > 1 else { throw DecodingFailure(.linkOutside, .svg) }
            targets.insert(String(link.value.dropFirst()))
        }
        for attribute in element.attributes {
            guard attribute.namespace != .xml || attribute.name != "base" else { throw unusual("base") }
            guard attribute.namespace == .none else { continue }
            let (name, value) = (attribute.name, attribute.value)
            guard !name.hasPrefix("on"), !refused.contains(name) else { throw unusual(name) }
            if name == "style" {
                try checkDeclarations(value[...], &targets)
            } else if lengths.contains(name), !textNames.contains(element.name) {
                let isOfRoot = element.parent == nil && (name == "width" || name == "height")
                guard SVGValue.isLength(value) || isOfRoot && value == "auto" else { throw unusual(name) }
            } else if transforms.contains(name) {
                guard element.name != "svg", SVGValue.isTransform(value) else { throw unusual(name) }
            } else if let kind = SVGValue.kinds[name] {
                try checkValue(value, kind, name, &targets)
            }
        }
    }

    /// Returns the names of a text and of all elements around it; no other element may use them.
    ///
    /// - Throws: `ambiguousRendering` if the text, which is left out, is a part of a shape.
    private static func identifiers(
        aroundText element: SVGElement, in elements: [SVGElement]
    ) throws(DecodingFailure) -> [String] {
        var (identifiers, parent) = ([element.value("id")], element.parent)
        while let place = parent {
            guard plainParents.contains(elements[place].name) else { throw DecodingFailure(.textAsShape, .svg) }
            identifiers.append(elements[place].value("id"))
            parent = elements[place].parent
        }
        return identifiers.compactMap(\.self)
    }

    // MARK: Styles

    private static func checkSheet(_ element: SVGElement, _ targets: inout Set<String>) throws(DecodingFailure) {
        guard element.value("media") == nil, ["text/css", nil].contains(element.value("type")) else {
            throw unusual("style")
        }
        var rest = element.text[...]
        while let start = rest.range(ofText: "/*") {
            guard let end = rest[start.upperBound...].range(ofText: "*/") else { throw unusual("style") }
            rest = rest[..<start.lowerBound] + " " + rest[end.upperBound...]
        }
        for rule in rest.split(separator: "}") where !rule.allSatisfy(\.isWhitespace) {
            let parts = rule.split(separator: "{", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].allSatisfy(SVGValue.isPartOfSelector) else { throw unusual("style") }
            try checkDeclarations(parts[1], &targets)
        }
    }

    private static func checkDeclarations(
        _ text: Substring, _ targets: inout Set<String>
    ) throws(DecodingFailure) {
        for declaration in text.split(separator: ";") where !declaration.allSatisfy(\.isWhitespace) {
            let parts = declaration.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw unusual("style") }
            let name = SVGValue.trimmed(parts[0]).lowercased()
            if SVGValue.unknownToAll.contains(where: name.hasPrefix) { continue }
            guard let kind = SVGValue.kinds[name] else { throw unusual(name) }
            try checkValue(SVGValue.trimmed(parts[1]), kind, name, &targets)
        }
    }

    private static func checkValue(
        _ value: String, _ kind: SVGValue.Kind, _ name: String, _ targets: inout Set<String>
    ) throws(DecodingFailure) {
        guard let target = SVGValue.target(of: value, kind) else { throw unusual(name) }
        if !target.isEmpty { targets.insert(target) }
    }

    /// The failure of an element, an attribute or a property that programs may show differently.
    private static func unusual(_ name: String) -> DecodingFailure {
        let isPlain = name.utf8.count <= 32 && name.utf8.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0 | 0x20) }
        return DecodingFailure(.unusualPart(isPlain ? name : "?"), .svg)
    }

    // MARK: Names

    private static let textNames: Set = ["text", "tspan"]
    private static let plainParents: Set = ["svg", "g", "a", "text", "tspan"]
    private static let names: Set = [
        "svg", "g", "a", "defs", "symbol", "use", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
        "linearGradient", "radialGradient", "stop", "clipPath", "mask", "pattern", "marker", "title", "desc",
        "metadata",
        "style", "text", "tspan",
    ]
    private static let transforms: Set = ["transform", "gradientTransform", "patternTransform"]
    private static let lengths: Set = [
        "x", "y", "width", "height", "r", "rx", "ry", "cx", "cy", "fx", "fy", "fr", "x1", "y1", "x2", "y2",
        "markerWidth", "markerHeight",
    ]
    /// The attributes that only some programs know, or that choose what is shown.
    private static let refused: Set = [
        "systemLanguage", "requiredFeatures", "requiredExtensions", "transform-origin", "transform-box", "pathLength",
        "mask-type", "refX", "refY", "clip", "externalResourcesRequired", "mix-blend-mode",
    ]
    private static let mostTexts = 100
    private static let mostLetters = 1000
}

extension Substring {
    /// Returns the first place of a text.
    fileprivate func range(ofText text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
