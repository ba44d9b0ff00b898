// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The only content of an SVG file: one PNG or JPEG picture in its text, which is shown whole.
///
/// Such a file shows what the picture shows, so the picture is judged by itself. Beside other pictures or shapes it
/// would be a part of another picture, which programs compose in different ways.
package struct SVGPicture {
    package let format: MediaFormat
    /// The file of the picture.
    package let bytes: [UInt8]
    /// The width of the place of the picture in heights; Qt and ImageMagick stretch every picture to fill its place.
    package let shape: Double
    /// The size in pixels at which the picture is shown in the window that the file asks for.
    package let shownSize: (width: Double, height: Double)

    /// - Parameter elements: all elements, each behind its parent.
    /// - Returns: nil for a file without pictures.
    /// - Throws: `ambiguousRendering` if there is more than one picture whole.
    package init?(_ elements: [SVGElement]) throws(DecodingFailure) {
        let images = elements.filter { $0.namespace == .svg && $0.name == "image" }
        guard let image = images.first else { return nil }
        let root = try SVGStructure.root(of: elements)
        // A nested drawing has a window of its own.
        guard images.count == 1, elements.count(where: { $0.name == "svg" }) == 1 else {
            throw DecodingFailure(.pictureBesideOthers, .svg)
        }
        for element in elements { try Self.check(element) }
        var parent = image.parent
        while let place = parent {
            guard elements[place].namespace == .svg, ["svg", "g"].contains(elements[place].name) else {
                throw SVGStructure.unusual("image")
            }
            parent = elements[place].parent
        }
        guard let link = image.link, image.hasOneLink, let (format, bytes) = Self.data(of: link) else {
            throw DecodingFailure(.linkOutside, .svg)
        }
        (self.format, self.bytes) = (format, bytes)
        let place = try Self.place(of: image, in: root)
        shape = place.width / place.height
        let scale = Self.scale(of: root)
        shownSize = (place.width * scale, place.height * scale)
        guard SVGStructure.isShownWhole(width: shownSize.width, height: shownSize.height) else {
            throw DecodingFailure(.windowOfNoSize, .svg)
        }
    }

    /// Checks that an element shows nothing beside the picture, and does not change it.
    private static func check(_ element: SVGElement) throws(DecodingFailure) {
        guard element.namespace != .active else { throw SVGStructure.unusual(element.name) }
        guard element.namespace == .svg else { return }
        guard var names = attributes[element.name] else { throw DecodingFailure(.pictureBesideOthers, .svg) }
        names.formUnion(SVGStructure.idleNames)
        for attribute in element.attributes {
            guard attribute.namespace != .xml || attribute.name != "base" else { throw SVGStructure.unusual("base") }
            guard attribute.namespace == .none, !attribute.name.hasPrefix("data-"), !names.contains(attribute.name),
                !smoothing.contains("\(attribute.name):\(attribute.value.filter { !$0.isWhitespace })")
            else { continue }
            throw SVGStructure.unusual(attribute.name)
        }
        guard let aspect = element.value("preserveAspectRatio") else { return }
        let isWhole = ["xMidYMid", "xMidYMid meet"].contains(aspect) || aspect == "none" && element.name == "image"
        guard isWhole else { throw SVGStructure.unusual("preserveAspectRatio") }
    }

    /// Returns the place of the picture, which lies in the area that every window shows.
    private static func place(
        of image: SVGElement, in root: SVGElement
    ) throws(DecodingFailure) -> (width: Double, height: Double) {
        _ = try SVGStructure.windows(of: root)
        let box = root.value("viewBox").flatMap(SVGValue.box)
        let size = [root.value("width"), root.value("height")].map { $0.flatMap(SVGValue.length) ?? 0 }
        let area = box ?? [0, 0] + size
        func number(_ name: String) -> Double? { image.value(name).flatMap(SVGValue.pixels) }
        guard area.count == 4, let width = number("width"), let height = number("height"), width > 0, height > 0,
            image.value("x") == nil || number("x") != nil, image.value("y") == nil || number("y") != nil
        else { throw SVGStructure.unusual("image") }
        let (left, top) = ((number("x") ?? 0) - area[0], (number("y") ?? 0) - area[1])
        let (slackX, slackY) = (slack * area[2], slack * area[3])
        guard left >= -slackX, top >= -slackY, left + width <= area[2] + slackX, top + height <= area[3] + slackY
        else { throw SVGStructure.unusual("image") }
        return (width, height)
    }

    /// Returns the number of pixels of a unit in the window that the file asks for.
    private static func scale(of root: SVGElement) -> Double {
        guard let box = root.value("viewBox").flatMap(SVGValue.box),
            let width = root.value("width").flatMap(SVGValue.length),
            let height = root.value("height").flatMap(SVGValue.length)
        else { return 1 }
        return min(width / box[2], height / box[3])
    }

    /// Returns the content of a link that holds a PNG or JPEG file in base64.
    private static func data(of link: String) -> (MediaFormat, [UInt8])? {
        for (head, format) in [
            ("data:image/png;base64,", MediaFormat.png), ("data:image/jpeg;base64,", .jpeg),
            ("data:image/jpg;base64,", .jpeg),
        ] where link.hasPrefix(head) {
            guard let bytes = decodedBase64(link.utf8.dropFirst(head.utf8.count)) else { return nil }
            return (format, bytes)
        }
        return nil
    }

    /// Decodes base64 with padding, in which white space may stand; nil for other text.
    ///
    /// Source: RFC 4648, section 4.
    private static func decodedBase64(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var (bytes, bits, count, padding) = ([UInt8](), UInt32(0), 0, 0)
        for character in text {
            let value: UInt32
            switch character {
            case 0x41...0x5A: value = UInt32(character) - 0x41
            case 0x61...0x7A: value = UInt32(character) - 0x61 + 26
            case 0x30...0x39: value = UInt32(character) - 0x30 + 52
            case 0x2B: value = 62
            case 0x2F: value = 63
            case 0x3D:
                padding += 1
                continue
            case 0x09, 0x0A, 0x0D, 0x20: continue
            default: return nil
            }
            guard padding == 0 else { return nil }
            (bits, count) = (bits << 6 | value, count + 1)
            if count % 4 == 0 { bytes += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)] }
        }
        switch (count % 4, padding) {
        case (0, 0): return bytes
        case (2, 2): return bytes + [UInt8(bits >> 4 & 255)]
        case (3, 1): return bytes + [UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)]
        default: return nil
        }
    }

    /// Attributes that ask for what programs do anyway, as drawing programs write them.
    private static let smoothing: Set = [
        "image-rendering:auto", "image-rendering:optimizeQuality", "style:image-rendering:auto",
        "style:image-rendering:optimizeQuality", "style:image-rendering:optimizeQuality;",
        "overflow:visible",
    ]
    /// How far the picture may reach beyond the area, as rounding of editors makes it, in sides of the area.
    private static let slack = 0.01
    /// The elements that may stand beside the picture, and the attributes that each may have.
    private static let attributes: [String: Set<String>] = [
        "svg": ["width", "height", "viewBox", "preserveAspectRatio", "x", "y"], "g": [], "title": [], "desc": [],
        "metadata": [], "defs": [], "image": ["x", "y", "width", "height", "preserveAspectRatio", "href"],
    ]
}
