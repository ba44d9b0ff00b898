// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CLibXML
internal import ViewerAgreement

/// An SVG file, for each window in which it is shown.
struct SVGDrawing {
    /// A document that librsvg draws, and the factor by which its size is multiplied.
    struct Window {
        let document: [UInt8]
        let scale: Double
    }

    let windows: [Window]
    /// The picture that is all that the file shows, which is not drawn; nil for shapes.
    let picture: SVGPicture?

    /// - Throws: `malformed`, `unsupportedVariant`, `ambiguousRendering`, `tooManyParts`.
    init(_ file: InputFile) throws(DecodingFailure) {
        guard file.byteCount <= Self.mostBytes else {
            throw DecodingFailure(.libraryLimit, format: .svg, detail: "more than \(Self.mostBytes >> 20) MB")
        }
        let bytes = try file.bytes(at: 0, count: file.byteCount)
        let options = Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue)
        let document = unsafe bytes.withUnsafeBytes { buffer in
            unsafe xmlReadMemory(
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), nil, nil, options)
        }
        guard let document = unsafe document else {
            throw DecodingFailure(.malformed, detail: "its XML is not well-formed")
        }
        defer { unsafe xmlFreeDoc(document) }
        var reader = try unsafe Reader(document)
        picture = try SVGPicture(reader.elements)
        guard picture == nil else {
            windows = []
            return
        }
        let structure = try SVGStructure(reader.elements)
        var windows: [Window] = []
        for hidesClips in structure.hasClips ? [false, true] : [false] {
            if hidesClips { unsafe reader.removeClips() }
            for window in structure.windows {
                unsafe reader.show(window)
                let drawn = min(max(window.longerSide, Self.leastDrawnSide), Self.mostDrawnSide)
                windows.append(Window(document: try unsafe reader.written(), scale: drawn / window.longerSide))
            }
        }
        self.windows = windows
    }

    /// The bounds of the longer side of the drawn picture, in pixels.
    private static let (leastDrawnSide, mostDrawnSide) = (1024.0, 2048.0)
    private static let mostBytes = 32 << 20

    /// Reads the elements of a parsed document, and changes it.
    @unsafe private struct Reader {
        private let document: xmlDocPtr
        private let root: xmlNodePtr
        private var nodes: [xmlNodePtr] = []
        private(set) var elements: [SVGElement] = []
        /// The view box of the file.
        private var area: String?

        init(_ document: xmlDocPtr) throws(DecodingFailure) {
            unsafe self.document = document
            guard let root = unsafe xmlDocGetRootElement(document) else {
                throw DecodingFailure(.malformed, detail: "no root")
            }
            unsafe self.root = root
            // Entities stand for other text, and sheets outside of the root for other styles.
            if let subset = unsafe xmlGetIntSubset(document), unsafe subset.pointee.children != nil {
                throw DecodingFailure(.unusualPart("ENTITY"), .svg)
            }
            var sibling = unsafe document.pointee.children
            while let node = unsafe sibling {
                guard unsafe node.pointee.type != XML_PI_NODE else {
                    throw DecodingFailure(.unusualPart("xml-stylesheet"), .svg)
                }
                unsafe sibling = node.pointee.next
            }
            let encoding = unsafe Self.text(document.pointee.encoding).uppercased()
            guard ["", "UTF-8", "US-ASCII", "ISO-8859-1"].contains(encoding) else {
                throw DecodingFailure(.unsupportedVariant, detail: "its encoding")
            }
            try unsafe read()
            area = elements.first?.value("viewBox")
        }

        /// Reads all elements, without recursion, because a file decides how deep they lie.
        private mutating func read() throws(DecodingFailure) {
            var waiting: [(node: xmlNodePtr, parent: Int?)] = unsafe [(root, nil)]
            while let (node, parent) = unsafe waiting.popLast() {
                guard elements.count < SVGDrawing.mostElements else {
                    throw DecodingFailure(.tooManyParts, bound: UInt64(SVGDrawing.mostElements), detail: "elements")
                }
                let element = try unsafe Self.element(node, parent: parent)
                unsafe nodes.append(node)
                let index = elements.count
                elements.append(element)
                var child = unsafe node.pointee.children
                while let next = unsafe child {
                    try unsafe Self.checkEntity(next)
                    // librsvg obeys style sheets that an instruction names at any place.
                    guard unsafe next.pointee.type != XML_PI_NODE else {
                        throw DecodingFailure(.unusualPart("xml-stylesheet"), .svg)
                    }
                    if unsafe next.pointee.type == XML_ELEMENT_NODE { unsafe waiting.append((next, index)) }
                    unsafe child = next.pointee.next
                }
            }
        }

        private static func element(_ node: xmlNodePtr, parent: Int?) throws(DecodingFailure) -> SVGElement {
            var attributes: [SVGElement.Attribute] = []
            var next = unsafe node.pointee.properties
            while let attribute = unsafe next {
                let namespace: SVGElement.Attribute.Namespace =
                    switch unsafe attribute.pointee.ns.map({ unsafe text($0.pointee.href) }) {
                    case nil: .none
                    case "http://www.w3.org/1999/xlink": .xlink
                    case "http://www.w3.org/XML/1998/namespace": .xml
                    default: .other
                    }
                attributes.append(
                    SVGElement.Attribute(
                        namespace, unsafe text(attribute.pointee.name),
                        try unsafe value(attribute.pointee.children)))
                unsafe next = attribute.pointee.next
            }
            let namespace: SVGElement.Namespace =
                switch unsafe node.pointee.ns.map({ unsafe text($0.pointee.href) }) {
                case "http://www.w3.org/2000/svg": .svg
                case "http://www.w3.org/1999/xhtml", "http://www.w3.org/2001/XInclude", nil: .active
                default: .other
                }
            return SVGElement(namespace, unsafe text(node.pointee.name), attributes, parent: parent)
        }

        /// Returns the value of an attribute, which has only nodes of text.
        private static func value(_ first: xmlNodePtr?) throws(DecodingFailure) -> String {
            var (value, next) = unsafe ("", first)
            while let node = unsafe next {
                try unsafe checkEntity(node)
                value += unsafe text(node.pointee.content)
                unsafe next = node.pointee.next
            }
            return value
        }

        private static func checkEntity(_ node: xmlNodePtr) throws(DecodingFailure) {
            guard unsafe node.pointee.type != XML_ENTITY_REF_NODE else {
                throw DecodingFailure(.unusualPart("ENTITY"), .svg)
            }
        }

        private static func text(_ bytes: UnsafePointer<xmlChar>?) -> String {
            guard let bytes = unsafe bytes else { return "" }
            return unsafe String(cString: bytes)
        }

        func removeClips() {
            for index in unsafe nodes.indices { _ = unsafe xmlUnsetProp(nodes[index], "clip-path") }
        }

        /// Changes the size of the picture, and the area that it shows.
        mutating func show(_ window: SVGStructure.Window) {
            _ = unsafe xmlSetProp(root, "width", "\(window.width)")
            _ = unsafe xmlSetProp(root, "height", "\(window.height)")
            let area = window.area.map { $0.map { "\($0)" }.joined(separator: " ") } ?? area
            if let area {
                _ = unsafe xmlSetProp(root, "viewBox", area)
            } else {
                _ = unsafe xmlUnsetProp(root, "viewBox")
            }
        }

        /// Returns the document as text.
        func written() throws(DecodingFailure) -> [UInt8] {
            guard let buffer = unsafe xmlBufferCreate() else { throw DecodingFailure(.outOfMemory) }
            defer { unsafe xmlBufferFree(buffer) }
            guard unsafe xmlNodeDump(buffer, document, root, 0, 0) >= 0, let start = unsafe xmlBufferContent(buffer)
            else {
                throw DecodingFailure(.outOfMemory)
            }
            return unsafe Array(UnsafeBufferPointer(start: start, count: Int(xmlBufferLength(buffer))))
        }
    }

    fileprivate static let mostElements = 200_000
}
