// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The values of attributes and properties of SVG that all programs read alike.
enum SVGValue {
    enum Kind {
        /// A colour, or a gradient or pattern of this file.
        case paint
        /// An element of this file, or none.
        case link
        /// A number from 0 to 1.
        case opacity
        /// Words and numbers.
        case words
        /// One of these words.
        case only([String])
    }

    /// The kinds of the properties that may stand in attributes and styles.
    static let kinds: [String: Kind] = {
        var kinds: [String: Kind] = [
            "mix-blend-mode": .only(["normal"]), "vector-effect": .only(["none"]), "filter": .only(["none"]),
            "color-interpolation": .only(["sRGB", "auto"]), "marker": .link, "clip-path": .link, "mask": .link,
            "marker-start": .link, "marker-mid": .link, "marker-end": .link,
        ]
        for name in ["fill", "stroke", "stop-color", "color"] { kinds[name] = .paint }
        for name in ["opacity", "fill-opacity", "stroke-opacity", "stop-opacity"] { kinds[name] = .opacity }
        for name in plainNames { kinds[name] = .words }
        return kinds
    }()

    /// The beginnings of properties that drawing programs write and no viewer obeys.
    static let unknownToAll = ["-inkscape-", "solid-", "enable-background", "block-progression"]

    private static let plainNames = [
        "fill-rule", "clip-rule", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
        "stroke-dasharray", "stroke-dashoffset", "display", "visibility", "overflow", "paint-order", "isolation",
        "shape-rendering", "image-rendering", "color-rendering", "text-rendering", "color-interpolation-filters",
        "font", "font-family", "font-size", "font-style", "font-weight", "font-stretch", "font-variant",
        "font-size-adjust", "font-variant-ligatures", "font-variant-position", "font-variant-caps",
        "font-variant-numeric", "font-variant-alternates", "font-feature-settings", "text-anchor", "text-align",
        "text-indent", "text-decoration", "text-decoration-line", "text-decoration-style", "text-decoration-color",
        "text-transform", "text-orientation", "letter-spacing", "word-spacing", "line-height", "baseline-shift",
        "dominant-baseline", "alignment-baseline", "white-space", "writing-mode", "direction", "pointer-events",
        "shape-padding", "shape-margin", "cursor",
    ]

    /// Returns the name of the element that a value uses, an empty text for none, or nil for an unusual value.
    static func target(of value: String, _ kind: Kind) -> String? {
        let value = trimmed(value[...])
        switch kind {
        case .paint:
            if let target = linked(value) { return target }
            return isColour(value) ? "" : nil
        case .link:
            if let target = linked(value) { return target }
            return value == "none" || value == "inherit" ? "" : nil
        case .opacity: return value == "inherit" || isNumber(value[...]) ? "" : nil
        case .words: return value.unicodeScalars.allSatisfy(isPartOfWords) ? "" : nil
        case .only(let words): return words.contains(value) ? "" : nil
        }
    }

    /// Returns the name in `url(#name)`, behind which a colour may stand; nil for another value.
    private static func linked(_ value: String) -> String? {
        guard value.hasPrefix("url("), let end = value.firstIndex(of: ")") else { return nil }
        let rest = trimmed(value[value.index(after: end)...])
        let name = value[..<end].dropFirst(4).filter { $0 != "\"" && $0 != "'" && !$0.isWhitespace }
        guard name.hasPrefix("#"), name.count > 1, rest.isEmpty || isColour(rest) else { return nil }
        return String(name.dropFirst())
    }

    private static func isColour(_ value: String) -> Bool {
        if value.hasPrefix("#") {
            return [4, 7].contains(value.utf8.count) && value.dropFirst().allSatisfy(\.isHexDigit)
        }
        if value.hasPrefix("rgb("), value.hasSuffix(")") {
            return value.dropFirst(4).dropLast().unicodeScalars.allSatisfy {
                "0123456789.,% ".unicodeScalars.contains($0)
            }
        }
        return colours.contains(value.lowercased())
    }

    /// Returns a length in pixels; nil for a share of the window and for another value.
    static func pixels(_ value: String) -> Double? {
        let value = trimmed(value[...])
        let number = value.prefix { $0.isNumber || ".+-".contains($0) }
        guard isNumber(number), let factor = units[String(value.dropFirst(number.count))] else { return nil }
        return Double(number).map { $0 * factor }
    }

    static func isLength(_ value: String) -> Bool {
        let value = trimmed(value[...])
        for unit in Array(units.keys) + ["%", "em"] where value.hasSuffix(unit) && isNumber(value.dropLast(unit.count))
        {
            return true
        }
        return false
    }

    private static let units = [
        "": 1, "px": 1, "pt": 4.0 / 3, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96,
    ]

    private static func isNumber(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
            && Double(text)?.isFinite == true
    }

    /// Returns whether a value has only the functions of SVG 1.1.
    static func isTransform(_ value: String) -> Bool {
        let words = value.split { !$0.isLetter }.filter { $0 != "e" && $0 != "E" }
        return words.allSatisfy { ["matrix", "translate", "scale", "rotate", "skewX", "skewY"].contains($0) }
            && value.unicodeScalars.allSatisfy { isPartOfWords($0) || $0 == "(" || $0 == ")" } && !value.contains("%")
    }

    private static func isPartOfWords(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || "0123456789.,%+- \t\r\n'\"#".unicodeScalars.contains(scalar))
    }

    /// Returns whether a character may stand in a selector by names, classes and identifiers.
    static func isPartOfSelector(_ character: Character) -> Bool {
        character.isASCII
            && (character.isLetter || character.isNumber || character.isWhitespace || ".#,*>-_".contains(character))
    }

    static func trimmed(_ text: Substring) -> String {
        let start = text.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// The names of colours in CSS Color 3, without those of the system.
    private static let colours = Set(
        """
        none inherit currentcolor transparent aliceblue antiquewhite aqua aquamarine azure beige bisque black \
        blanchedalmond blue blueviolet brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk \
        crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen \
        darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise \
        darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro \
        ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender \
        lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen \
        lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue \
        lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple \
        mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream \
        mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen \
        paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple red rosybrown royalblue \
        saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow \
        springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen
        """.split(separator: " ").map(String.init))
}
