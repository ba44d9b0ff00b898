// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import HelperHost
import TestSupport
import Testing

@Suite("Pictures of every kind")
struct PictureTests {
    static func url(_ path: String) -> URL { TestFiles.fixtures.appendingPathComponent(path) }

    @Test(
        "Pictures are shown upright in all eight orientations",
        arguments: ["png.png", "jpeg.jpg", "webp.webp", "heic.heic", "avif.avif", "tiff.tiff", "jxl.jxl"], 1...8)
    func orientation(kind: String, orientation: Int) async throws {
        let parts = kind.split(separator: ".")
        let upright = try await RealDecoder.pixels(Self.url("orientation/upright.png"))
        let pixels = try await RealDecoder.pixels(Self.url("orientation/\(parts[0])-\(orientation).\(parts[1])"))
        let difference = difference(upright, pixels)
        // With a wrong orientation, the mean difference is more than 20 levels.
        #expect(difference.mean < 2.5)
    }

    @Test(
        "Pictures are turned once, by the orientation that applies",
        arguments: ["heic-exif-only.heic", "heic-irot-and-exif.heic", "jxl-exif-box.jxl"])
    func turnedOnce(name: String) async throws {
        let upright = try await RealDecoder.pixels(Self.url("orientation/upright.png"))
        let pixels = try await RealDecoder.pixels(Self.url("orientation/\(name)"))
        #expect(difference(upright, pixels).mean < 2.5)
    }

    // The tolerances are those that Tests/Fixtures/colour/README.md gives for a correct reader.
    @Test(
        "Pictures have the right colours",
        arguments: [
            ("palette.png", "expected.png", 0, 1), ("rgb16.png", "expected.png", 0, 1),
            ("rgb16.tiff", "expected.png", 0, 1), ("float.tiff", "expected.png", 0.05, 1),
            ("grey16.png", "expected-grey.png", 0, 1), ("grey.jpg", "expected-grey.png", 0.2, 3),
            ("bilevel.tiff", "expected-bilevel.png", 0, 0), ("display-p3.png", "expected.png", 0.5, 3),
            ("adobe-rgb.jpg", "expected.png", 1, 16), ("broken-icc.jpg", "expected.png", 0.5, 6),
            ("cmyk-icc.jpg", "expected.png", 0.6, 5), ("cmyk-icc.tiff", "expected.png", 0.6, 5),
            ("cmyk.jpg", "expected.png", 25, 80), ("cmyk.tiff", "expected.png", 25, 80),
            ("lab.tiff", "expected.png", 6, 60), ("ycbcr.tiff", "expected.png", 1, 4),
            ("planar-tiles.tiff", "expected.png", 0, 0),
        ])
    func colour(name: String, expected: String, mean: Double, largest: Int) async throws {
        let difference = difference(
            try await RealDecoder.pixels(Self.url("colour/\(expected)")),
            try await RealDecoder.pixels(Self.url("colour/\(name)")))
        #expect(difference.mean <= mean && difference.largest <= largest, "\(difference)")
    }

    @Test func `A JPEG XL picture of a high dynamic range is judged by its curve and by its plain levels`() async throws
    {
        let views = try await RealDecoder.decode(Self.url("colour/perceptual-quantizer.jxl")).views
        // A ramp of 256 levels; the middle column has the level 128.
        let middles = Set(views.map { $0.bytes[$0.bytes.count / $0.height / 2] })
        #expect(
            middles.contains { (126...130).contains($0) } && middles.contains { $0 < 120 || $0 > 136 }, "\(middles)")
    }

    @Test func `YCbCr without JPEG is unknown in a TIFF file if pixels share colours`() async throws {
        var bytes = [UInt8](try Data(contentsOf: Self.url("colour/ycbcr.tiff")))
        // The entry of the shared colours: its tag, two numbers of 16 bits, and the numbers.
        let entry: [UInt8] = [0x12, 0x02, 3, 0, 2, 0, 0, 0, 1, 0, 1, 0]
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: entry) })
        (bytes[place + 8], bytes[place + 10]) = (2, 2)
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("picture.tiff")
            try Data(bytes).write(to: file)
            await #expect(throws: AnalysisFailure.self) { try await RealDecoder.decode(file) }
        }
    }

    @Test(
        "Pictures with transparency are composed over white and over black",
        arguments: [
            ("rgba.png", "expected.png", "expected-alpha.png"), ("rgba.webp", "expected.png", "expected-alpha.png"),
            ("rgba.tiff", "expected.png", "expected-alpha.png"),
            ("palette-alpha.tiff", "expected.png", "expected-alpha.png"),
            ("grey-alpha.png", "expected-grey.png", "expected-alpha.png"),
            ("palette-transparent.png", "expected.png", "expected-palette-alpha.png"),
        ])
    func transparency(name: String, colours: String, opacity: String) async throws {
        let views = try await RealDecoder.decode(Self.url("colour/\(name)")).views
        let colours = try await RealDecoder.pixels(Self.url("colour/\(colours)"))
        let opacity = try await RealDecoder.pixels(Self.url("colour/\(opacity)"))
        // The third view shows colours without opacity; a fourth over white shows colours that are premultiplied.
        #expect(views.count >= 3)
        for (view, background) in zip(views, [255, 0]) {
            let expected = zip(colours, opacity).map { (colour: UInt8, alpha: UInt8) -> UInt8 in
                let mixed = Int(colour) * Int(alpha) + background * (255 - Int(alpha))
                return UInt8((mixed + 127) / 255)
            }
            #expect(difference(view.bytes, expected).largest <= 1)
        }
    }

    @Test(
        "Pictures in BMP files have the right pixels",
        arguments: [
            ("1bit", "expected-1bit"), ("4bit", "expected-4bit"), ("8bit", "expected"), ("16bit", "expected-16bit"),
            ("24bit", "expected"), ("32bit", "expected"), ("bitfields565", "expected-bitfields565"),
            ("topdown", "expected"), ("rle8", "expected"), ("rle4", "expected-4bit"), ("os2", "expected"),
            ("v5", "expected-v5"),
        ])
    func bitmap(name: String, expected: String) async throws {
        let bitmap = try await RealDecoder.decode(Self.url("colour/bmp/\(name).bmp"))
        let reference = try await RealDecoder.decode(Self.url("colour/bmp/\(expected).png"))
        #expect(bitmap.format == .bmp)
        #expect(bitmap.views.count == reference.views.count)
        for (view, expected) in zip(bitmap.views, reference.views) {
            // Programs differ by one level when they widen five or six bits to eight.
            #expect(difference(view.bytes, expected.bytes).largest <= 1)
        }
    }

    /// A BMP file with the largest header, four saturated pixels, and a colour profile at the end.
    private static func bitmap(_ kind: String, _ profile: [UInt8], size: Int? = nil) -> [UInt8] {
        func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
        let pixels: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 255, 40, 200, 90, 0, 0]
        var header = little(124) + little(2) + little(2) + [1, 0, 24, 0] + [UInt8](repeating: 0, count: 108)
        header.replaceSubrange(56..<60, with: kind.utf8.reversed())
        header.replaceSubrange(112..<120, with: little(124 + pixels.count) + little(size ?? profile.count))
        return Array("BM".utf8) + little(138 + pixels.count + profile.count) + little(0) + little(138) + header + pixels
            + profile
    }

    @Test func `A BMP picture with a colour profile is judged with it and without it`() async throws {
        let jpeg = [UInt8](try Data(contentsOf: Self.url("colour/adobe-rgb.jpg")))
        let name = Array("ICC_PROFILE\0".utf8)
        let start = try #require(jpeg.indices.first { jpeg[$0...].starts(with: name) })
        let length = Int(jpeg[start - 2]) << 8 | Int(jpeg[start - 1])
        let profile = Array(jpeg[(start + 14)..<(start - 2 + length)])
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("picture.bmp")
            for (kind, count) in [("MBED", 2), ("LINK", 1), ("sRGB", 1)] {
                try Data(Self.bitmap(kind, profile)).write(to: file)
                #expect(try await RealDecoder.decode(file).views.count == count)
            }
            try Data(Self.bitmap("MBED", profile, size: profile.count + 1)).write(to: file)
            await #expect(throws: AnalysisFailure.self) { try await RealDecoder.decode(file) }
        }
    }

    @Test(arguments: [
        ("rgb.tga", "expected"), ("runs.tga", "expected"), ("rgba.tga", "expected-rgba"), ("palette.tga", "expected"),
        ("grey.tga", "expected-grey"), ("rgb.ppm", "expected"), ("text.ppm", "expected"), ("wide.ppm", "expected"),
        ("grey.pgm", "expected-grey"), ("bilevel.pbm", "expected-bilevel"), ("text.pbm", "expected-bilevel"),
        ("rgba.pam", "expected-rgba"), ("rgb.qoi", "expected"), ("rgba.qoi", "expected-rgba"), ("rgb.pcx", "expected"),
        ("palette.pcx", "expected"), ("bilevel.pcx", "expected-bilevel"), ("rgb.sgi", "expected"),
        ("rgba.sgi", "expected-rgba"), ("wide.sgi", "expected"), ("runs.sgi", "expected"),
        ("grey.sgi", "expected-grey"),
        ("rgb.dds", "expected"), ("rgba.dds", "expected-rgba"), ("grey.dds", "expected-grey"),
        ("dxt1.dds", "expected-dxt1"), ("dxt5.dds", "expected-dxt5"), ("levels.dds", "expected-dxt5"),
    ])
    func `Pictures that FFmpeg decodes have the right pixels`(name: String, expected: String) async throws {
        let reference = try await RealDecoder.decode(Self.url("colour/simple/\(expected).png"))
        let picture = try await RealDecoder.decodeStill(Self.url("colour/simple/\(name)"))
        #expect(picture.views.count == reference.views.count)
        for (view, expected) in zip(picture.views, reference.views) {
            #expect(
                difference(view.bytes, expected.bytes).largest <= (name == "dxt5.dds" || name == "levels.dds" ? 2 : 1))
        }
    }

    @Test(arguments: [
        ("rgb.jp2", "expected"), ("rgba.jp2", "expected-rgba"), ("grey.j2k", "expected-grey"),
        ("grey12.j2k", "expected-grey"), ("rgb.psd", "expected"), ("rgba.psd", "expected-rgba"),
        ("grey16.psd", "expected-grey"), ("palette.psd", "expected"),
    ])
    func `Pictures in JPEG 2000 and Photoshop files have the right pixels`(name: String, expected: String) async throws
    {
        let reference = try await RealDecoder.decode(Self.url("colour/simple/\(expected).png"))
        let picture = try await RealDecoder.decode(Self.url("colour/simple/\(name)"))
        #expect(picture.views.count >= reference.views.count)
        for (view, expected) in zip(picture.views, reference.views) {
            #expect(difference(view.bytes, expected.bytes).largest <= 1)
        }
    }

    @Test(arguments: [
        ("png.ico", "expected"), ("masked24.ico", "expected-masked"), ("masked8.ico", "expected-masked"),
    ])
    func `Pictures in icons have the right pixels, with their mask and without it`(
        name: String, expected: String
    ) async throws {
        let reference = try await RealDecoder.decode(Self.url("colour/simple/\(expected).png"))
        let icon = try await RealDecoder.decode(Self.url("colour/simple/\(name)"))
        #expect(icon.views.count == reference.views.count)
        for expected in reference.views {
            #expect(icon.views.contains { difference($0.bytes, expected.bytes).largest <= 1 })
        }
    }

    @Test(
        "A file with several pictures is not decoded as one, whichever of them comes first",
        arguments: [
            "animated.gif", "still.gif", "animated.webp", "animated.png", "animated.jxl", "pages.tiff",
            "pages-unequal.tiff", "sequence.avif", "sequence.heic", "sequence-as-avif.avif", "sequence-as-heic.heic",
            "track-only.heic", "two-images.heic", "two-images-unequal.heic",
        ])
    func several(name: String) async throws {
        #expect(try await RealDecoder.content(of: Self.url("several/\(name)")).get() == nil)
    }

    @Test(
        "A file with a thumbnail or preview is decoded as its main picture, or as several",
        arguments: [
            "thumbnail.heic", "thumbnail.avif", "thumbnail.jpg", "thumbnail.tiff", "pyramid.tiff",
            "pyramid-subifd.tiff", "preview.jxl", "mpf.jpg",
        ])
    func deceptive(name: String) async throws {
        let main = try await RealDecoder.pixels(Self.url("deceptive/main.png"))
        for side in [64, 256] {
            let picture = try await RealDecoder.content(of: Self.url("deceptive/\(name)"), side: side).get()
            #expect((picture == nil) == (name.hasSuffix(".tiff") || name == "mpf.jpg"))
            if let picture, side == 256 { #expect(difference(main, picture.views[0].bytes).mean < 4) }
        }
    }

    @Test("Formats are told by the content of a file, whatever its name is")
    func renamed() async throws {
        try await TestFiles.withFolder { folder in
            for (name, format) in [("plain.heic", MediaFormat.heic), ("plain.bmp", .bmp), ("plain.jxl", .jpegXL)] {
                let target = folder.appendingPathComponent("\(name).jpg")
                try FileManager.default.copyItem(at: Self.url("plain/\(name)"), to: target)
                let picture = try await RealDecoder.decode(target)
                #expect(picture.format == format)
            }
        }
    }

    @Test(
        "A picture of many tiles looks the same in bands of rows as it does as a whole",
        arguments: ["plain.heic", "turned.heic", "wide-numbers.heic"])
    func bands(name: String) async throws {
        let file = Self.url("tiles/\(name)")
        let whole = try await RealDecoder.decode(file)
        // A band has 194,560 pixels, and the picture 233,700.
        let limits = AnalysisLimits { limits in
            limits.maximumPixelCount = 200_000
            limits.maximumDecodingTime = .seconds(180)
        }
        let banded = try await RealDecoder.decode(file, limits: limits)
        #expect(banded.views.map(\.bytes) == whole.views.map(\.bytes))
        #expect(banded.views.map(\.width) == whole.views.map(\.width))
        #expect(!banded.isDamaged)
        // A band needs memory as well, and a picture of other tiles is decoded as a whole.
        for (limit, file) in [(190_000, file), (70_000, Self.url("plain/grid.heic"))] {
            await #expect(throws: AnalysisFailure.self) {
                try await RealDecoder.decode(file, limits: AnalysisLimits { $0.maximumPixelCount = limit })
            }
        }
    }

    @Test("A picture in bands of rows is damaged if a tile is, as it is as a whole")
    func damagedBand() async throws {
        var bytes = [UInt8](try Data(contentsOf: Self.url("tiles/plain.heic")))
        // Coded data of the last tile.
        for place in (bytes.count - 40)..<(bytes.count - 5) { bytes[place] ^= 0x55 }
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("damaged.heic")
            try Data(bytes).write(to: file)
            #expect(try await RealDecoder.decode(file).isDamaged)
            let limits = AnalysisLimits { $0.maximumPixelCount = 200_000 }
            #expect(try await RealDecoder.decode(file, limits: limits).isDamaged)
        }
    }

    @Test func `A picture with tiles of another size than their box says is damaged`() async throws {
        var bytes = [UInt8](try Data(contentsOf: Self.url("tiles/plain.heic")))
        let size: [UInt8] = [0, 0, 0, 64, 0, 0, 0, 64]
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: size) })
        (bytes[place + 3], bytes[place + 7]) = (62, 62)
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("picture.heic")
            try Data(bytes).write(to: file)
            #expect(try await RealDecoder.decode(file).isDamaged)
        }
    }

    @Test(
        "The same picture looks alike in every format",
        arguments: [
            "plain.bmp", "plain.tiff", "plain.jpg", "progressive.jpg", "plain.webp", "lossless.webp", "plain.heic",
            "plain.avif", "grid.heic", "grid.avif", "plain.jxl", "container.jxl",
        ])
    func plain(name: String) async throws {
        let reference = try await RealDecoder.pixels(Self.url("plain/plain.png"))
        let pixels = try await RealDecoder.pixels(Self.url("plain/\(name)"))
        #expect(difference(reference, pixels).mean < 8)
    }
}
