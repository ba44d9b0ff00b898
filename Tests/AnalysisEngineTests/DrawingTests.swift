// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("SVG pictures")
struct DrawingTests {
    private static func outcome(_ root: String, _ content: String) async throws -> String {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("picture.svg")
            try Data("<svg xmlns='http://www.w3.org/2000/svg' \(root)>\(content)</svg>".utf8).write(to: file)
            return try await RegressionTests.outcome(of: file)
        }
    }

    /// The test pattern as a path of 160 × 120 units.
    private static func pattern() throws -> String {
        let levels = [UInt8](try Data(contentsOf: TestFiles.fixtures.appendingPathComponent("evasions/pattern.grey")))
        let squares = levels.indices.filter { levels[$0] < 128 }.map { "M\($0 % 160) \($0 / 160)h1v1h-1z" }
        return "<path d='\(squares.joined())'/>"
    }

    @Test(arguments: [
        "width='160' height='120'", "width='16cm' height='12cm' viewBox='0 0 160 120'", "viewBox='0 0 160 120'",
        // A size of a few pixels, which viewers enlarge, and a window that shows more than the view box.
        "width='4' height='3' viewBox='0 0 160 120'", "viewBox='160 0 160 120'",
        "viewBox='0 -120 160 120' width='100%'",
    ])
    func `A pattern that a window shows is judged`(root: String) async throws {
        let content = "<rect x='-500' y='-500' width='1000' height='1000' fill='white'/>" + (try Self.pattern())
        #expect(try await Self.outcome(root, content) == "sensitive")
    }

    @Test(arguments: ["width='2048' height='2048'", "width='2048' height='2048' viewBox='100 -50 2048 2048'"])
    func `The part of a large drawing that a window of a browser shows is judged`(root: String) async throws {
        let content =
            "<rect x='-500' y='-500' width='4000' height='4000' fill='white'/><g transform='translate(120 0)'>"
            + (try Self.pattern()) + "</g>"
        #expect(try await Self.outcome(root, content) == "sensitive")
        let corner = content.replacing("translate(120 0)", with: "translate(1800 1800)")
        #expect(try await Self.outcome(root, corner) == "notSensitive")
    }

    @Test func `A picture in an SVG file that a window of a browser shows in part is unknown`() async throws {
        let picture = try Self.image("plain/plain.jpg", type: "jpeg")
        for (size, outcome) in [
            ("width='840' height='630'", "notSensitive"), ("width='880' height='660'", "ambiguousMedia"),
        ] {
            let shown = picture.replacing("width='320' height='240'", with: size)
            #expect(try await Self.outcome(size, shown) == outcome)
        }
    }

    @Test func `A pattern over the background of a viewer, or outside of a clipping path, is judged`() async throws {
        #expect(try await Self.outcome("viewBox='0 0 160 120'", try Self.pattern()) == "sensitive")
        let clipped =
            "<clipPath id='c'><rect width='9' height='9'/></clipPath><g clip-path='url(#c)'>\(try Self.pattern())</g>"
        #expect(try await Self.outcome("width='160' height='120'", clipped) == "sensitive")
        let harmless = "<g><rect width='9' height='9' fill='red'/></g>"
        #expect(try await Self.outcome("width='160' height='120'", harmless) == "notSensitive")
        #expect(try await Self.outcome("width='160' height='120'", "<image href='x.png'/>") == "ambiguousMedia")
    }

    private static func image(_ name: String, type: String, _ attributes: String = "") throws -> String {
        let data = try Data(contentsOf: TestFiles.fixtures.appendingPathComponent(name)).base64EncodedString()
        return "<g id='a'><image width='320' height='240' \(attributes) href='data:image/\(type);base64,\(data)'/></g>"
    }

    @Test(arguments: [
        "viewBox='0 0 320 240'", "width='400' height='300'", "width='16cm' height='12cm' viewBox='0 0 320 240'",
    ])
    func `A picture that is all of an SVG file is judged by itself`(root: String) async throws {
        let pattern = try Self.image("evasions/sensitive-grey-alpha-1.png", type: "png")
        #expect(try await Self.outcome(root, "<title>a</title>" + pattern) == "sensitive")
        let harmless = try Self.image("plain/plain.jpg", type: "jpeg")
        #expect(try await Self.outcome(root, harmless) == "notSensitive")
    }

    @Test func `A picture in an SVG file is unknown if a program may show something else`() async throws {
        let root = "viewBox='0 0 320 240'"
        let picture = try Self.image("plain/plain.jpg", type: "jpeg")
        for content in [
            picture + picture, picture + "<path d='M0 0h9v9z'/>", picture + "<style>image{opacity:.5}</style>",
            try Self.image("plain/plain.jpg", type: "png"), try Self.image("plain/plain.webp", type: "webp"),
            try Self.image("several/animated.png", type: "png"),
            try Self.image("plain/plain.jpg", type: "jpeg", "x='9'"),
            try Self.image("plain/plain.jpg", type: "jpeg", "transform='scale(2)'"),
            try Self.image("plain/plain.jpg", type: "jpeg", "preserveAspectRatio='xMidYMid slice'"),
            try Self.image("plain/plain.jpg", type: "jpeg", "style='image-rendering:pixelated'"),
            try Self.image("orientation/jpeg-6.jpg", type: "jpeg"),
            picture.replacing("base64,", with: "base64,%"), picture.replacing(" href=", with: " onclick='a' href="),
            "<clipPath id='c'>" + picture + "</clipPath>", "<defs>" + picture + "</defs>",
            "<svg viewBox='0 0 100 100'>" + picture + "</svg>",
            picture.replacing(" href=", with: " xmlns:xlink='urn:x' xlink:href='a' href="),
            "<o:g xmlns:o='urn:x' transform='scale(8)'>" + picture + "</o:g>",
            "<metadata><o:image xmlns:o='urn:x'/></metadata>" + picture,
            picture.replacing("height='240'", with: "height='120'"),
            "<?xml-stylesheet href='data:text/css,image{}'?>" + picture,
        ] {
            #expect(try await Self.outcome(root, content) != "notSensitive", "\(content.prefix(200))")
        }
        #expect(
            try await Self.outcome("viewBox='0 0 320 240' preserveAspectRatio='xMidYMid slice'", picture)
                == "ambiguousMedia")
        #expect(try await Self.outcome("viewBox='20 0 320 240'", picture) == "ambiguousMedia")
        // Qt shows single pixels of a picture that is made smaller, and reads these sizes differently.
        for root in [
            "width='160' height='120' viewBox='0 0 320 240'", "viewBox='0+0+320+240'",
            "width='320' height='480' viewBox='0 0 320 240'", "width='20pc' height='15pc'",
        ] {
            #expect(try await Self.outcome(root, picture) == "ambiguousMedia", "\(root)")
        }
    }

    @Test(arguments: [
        "<metadata><o:rect xmlns:o='urn:x' width='9' height='9'/></metadata>", "<o:image xmlns:o='urn:x' width='9'/>",
        "<metadata><o:IMAGE xmlns:o='urn:x'/></metadata>", "<g><?xml-stylesheet href='data:text/css,g{}'?></g>",
        "<title xmlns:o='urn:x' o:href='a'>a</title>",
    ])
    func `A drawing with a shape of another namespace or a style sheet within is unknown`(content: String) async throws
    {
        let shape = "<path d='M0 0h9v9z'/>"
        #expect(try await Self.outcome("viewBox='0 0 9 9'", shape) == "notSensitive")
        #expect(try await Self.outcome("viewBox='0 0 9 9'", shape + content) == "ambiguousMedia")
    }

    @Test(arguments: [
        "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
        "<?xml-stylesheet href='a.css'?><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><p xmlns='http://www.w3.org/1999/xhtml'/></svg>",
    ])
    func `A document with entities, other sheets or XHTML is unknown`(text: String) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("picture.svg")
            try Data(text.utf8).write(to: file)
            #expect(try await RegressionTests.outcome(of: file) == "ambiguousMedia")
        }
    }

    @Test(arguments: [
        "<svg xmlns='http://www.w3.org/2000/svg'", "<svg/>", "<svg xmlns='http://www.w3.org/2000/svg'><g></svg>",
    ])
    func `A document that is no SVG is unknown`(text: String) async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("picture.svg")
            try Data(text.utf8).write(to: file)
            #expect(["malformedMedia", "unsupportedMedia"].contains(try await RegressionTests.outcome(of: file)))
        }
    }
}
