// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The values of properties of SVG that all programs read alike.
///
/// Programs differ about what they do with a wrong value, so each value has to be right.
enum SVGValue {
    enum Kind {
        /// A colour, or a gradient of this file.
        case paint
        case colour
        /// A number from 0 to 1; very small ones are rounded differently.
        case opacity
        /// A number within bounds, in pixels.
        case number(ClosedRange<Double>)
        /// Several lengths of 0 or more.
        case dashes
        /// One or more of these words.
        case words([String])
        /// Any text, because nothing is shown by it.
        case anything
    }

    /// The kinds of the properties that may stand in attributes and styles.
    static let kinds: [String: Kind] = {
        var kinds: [String: Kind] = [
            "fill": .paint, "stroke": .paint, "stop-color": .colour, "color": .colour,
            "fill-rule": .words(["nonzero", "evenodd"]), "clip-rule": .words(["nonzero", "evenodd"]),
            "stroke-linecap": .words(["butt", "round", "square"]),
            "stroke-linejoin": .words(["miter", "round", "bevel"]), "stroke-width": .number(0...most),
            "stroke-miterlimit": .number(1...most), "stroke-dashoffset": .number(-most...most),
            "stroke-dasharray": .dashes,
            "display": .words(["inline", "none"]), "visibility": .words(["visible", "hidden"]),
            "paint-order": .words(["normal", "fill", "stroke", "markers"]), "overflow": .words(["visible"]),
            "shape-rendering": .words(["auto", "geometricPrecision"]), "mix-blend-mode": .words(["normal"]),
            "isolation": .words(["auto"]), "vector-effect": .words(["none"]), "filter": .words(["none"]),
            "mask": .words(["none"]), "marker": .words(["none"]), "marker-start": .words(["none"]),
            "marker-mid": .words(["none"]), "marker-end": .words(["none"]), "clip-path": .words(["none"]),
            "color-interpolation": .words(["sRGB", "auto"]),
        ]
        for name in ["opacity", "fill-opacity", "stroke-opacity", "stop-opacity"] { kinds[name] = .opacity }
        for name in idleNames { kinds[name] = .anything }
        return kinds
    }()

    /// Properties of text, of which there is none, and those that no viewer obeys.
    private static let idleNames = [
        "image-rendering", "color-rendering", "text-rendering", "color-interpolation-filters", "enable-background",
        "block-progression", "solid-color", "solid-opacity", "font", "font-family", "font-size", "font-style",
        "font-weight",
        "font-stretch", "font-variant", "font-size-adjust", "font-variant-ligatures", "font-variant-position",
        "font-variant-caps", "font-variant-numeric", "font-variant-alternates", "font-feature-settings", "text-anchor",
        "text-align", "text-indent", "text-decoration", "text-decoration-line", "text-decoration-style",
        "text-decoration-color", "text-transform", "text-orientation", "letter-spacing", "word-spacing", "line-height",
        "baseline-shift", "dominant-baseline", "white-space", "writing-mode", "direction", "pointer-events",
        "shape-padding", "shape-margin",
    ]
    /// The largest number; programs keep larger ones less exactly.
    static let most = 1_000_000.0

    /// Returns the name of the gradient that a value uses, an empty text for none, or nil for a wrong value.
    static func gradient(of value: String, _ kind: Kind) -> String? {
        switch kind {
        case .paint: link(value) ?? (isColour(value) || value == "none" ? "" : nil)
        case .colour: isColour(value) ? "" : nil
        case .opacity: number(value[...]).map { $0 == 0 || (0.01...1).contains($0) } == true ? "" : nil
        case .number(let bounds): pixels(value).map(bounds.contains) == true ? "" : nil
        case .dashes: value == "none" || numbers(value)?.allSatisfy { (0...most).contains($0) } == true ? "" : nil
        case .words(let words): value.split(separator: " ").allSatisfy { words.contains(String($0)) } ? "" : nil
        case .anything: value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && !Self.special.contains($0) } ? "" : nil
        }
    }

    /// Characters that may end or begin something else in a style.
    private static let special = Set("\\/*{}@!<>()&".utf8)

    /// Returns the name in `url(#name)`; nil for another value.
    static func link(_ value: String) -> String? {
        guard value.hasPrefix("url(#"), value.hasSuffix(")") else { return nil }
        let name = String(value.dropFirst(5).dropLast())
        return isName(name) ? name : nil
    }

    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { isDigit($0) || isLetter($0) || [0x2D, 0x2E, 0x3A, 0x5F].contains($0) }
    }

    private static func isColour(_ value: String) -> Bool {
        if value.hasPrefix("#") {
            return [4, 7].contains(value.utf8.count) && value.utf8.dropFirst().allSatisfy(isHexDigit)
        }
        if value.hasPrefix("rgb("), value.hasSuffix(")") {
            let parts = value.dropFirst(4).dropLast().split(separator: ",", omittingEmptySubsequences: false)
            return parts.count == 3
                && parts.allSatisfy { part in
                    let digits = part.utf8.drop { $0 == 0x20 }
                    return (1...3).contains(digits.count) && digits.allSatisfy(isDigit)
                }
        }
        return colours.contains(value.lowercased()) || value == "currentColor"
    }

    // MARK: Numbers

    /// Returns a number of SVG 1.1, within the bounds that programs keep exactly.
    static func number(_ text: some StringProtocol) -> Double? {
        var rest = Substring(text).utf8
        func skipDigits() -> Int {
            let count = rest.prefix(while: isDigit).count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() }
        var count = skipDigits()
        if rest.first == 0x2E {
            rest = rest.dropFirst()
            let places = skipDigits()
            guard places > 0 else { return nil }
            count += places
        }
        guard count > 0 else { return nil }
        if rest.first == 0x65 || rest.first == 0x45 {
            rest = rest.dropFirst()
            if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() }
            guard skipDigits() > 0 else { return nil }
        }
        guard rest.isEmpty, let value = Double(String(text)), abs(value) <= most else { return nil }
        return value
    }

    /// Returns a number, behind which the unit of pixels may stand.
    static func pixels(_ value: String) -> Double? { number(value.hasSuffix("px") ? value.dropLast(2) : value[...]) }

    /// Returns the four numbers of a view box with an area, each behind a space or a comma; nil for other texts.
    ///
    /// Qt finds no numbers that follow each other directly, and takes another size then.
    static func box(_ text: String) -> [Double]? {
        let parts = text.split { [" ", ",", "\t", "\n", "\r", "\r\n"].contains($0) }
        let numbers = parts.compactMap { number($0) }
        guard parts.count == 4, numbers.count == 4, self.numbers(text)?.count == 4, numbers[2] > 0, numbers[3] > 0
        else {
            return nil
        }
        return numbers
    }

    /// Returns a length in pixels, of which an inch has 96; nil for a share of the window and for wrong values.
    ///
    /// Qt reads picas as pixels, so they count as wrong.
    static func length(_ value: String) -> Double? {
        for (unit, factor) in [("mm", 96 / 25.4), ("cm", 96 / 2.54), ("in", 96), ("pt", 96.0 / 72)]
        where value.hasSuffix(unit) {
            return number(value.dropLast(2)).map { $0 * factor }
        }
        return pixels(value)
    }

    /// Returns numbers between which spaces, or one comma, stand.
    static func numbers(_ text: some StringProtocol) -> [Double]? {
        var reader = SVGNumberReader(text)
        var numbers: [Double] = []
        while !reader.isAtEnd {
            guard let number = reader.number(isFirst: numbers.isEmpty) else { return nil }
            numbers.append(number)
        }
        return numbers.isEmpty ? nil : numbers
    }

    /// Returns whether a value has only the functions of SVG 1.1, each with its numbers, and none that leaves no area.
    static func isTransform(_ value: String) -> Bool {
        let counts: [String: Set<Int>] = [
            "matrix": [6], "translate": [1, 2], "scale": [1, 2], "rotate": [1, 3], "skewX": [1], "skewY": [1],
        ]
        let parts = value.split(separator: ")", omittingEmptySubsequences: false)
        guard let last = parts.last, last.allSatisfy({ $0 == " " }), parts.count > 1 else { return false }
        return parts.dropLast().allSatisfy { part in
            let halves = part.split(separator: "(", omittingEmptySubsequences: false)
            let name = String(halves[0].drop { $0 == " " })
            guard halves.count == 2, let numbers = numbers(halves[1]), counts[name]?.contains(numbers.count) == true
            else {
                return false
            }
            switch name {
            case "scale": return numbers.allSatisfy { abs($0) > 1e-6 }
            case "matrix": return abs(numbers[0] * numbers[3] - numbers[1] * numbers[2]) > 1e-9
            case "skewX", "skewY": return abs(numbers[0]) < 89
            default: return true
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte | 0x20) }

    /// The names of colours in CSS Color 3, without those of the system.
    private static let colours = Set(
        """
        aliceblue antiquewhite aqua aquamarine azure beige bisque black \
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
