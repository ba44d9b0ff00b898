// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import HelperProtocol
import TestSupport
import Testing

@Suite("Copies of judged pictures")
struct JudgedCopyTests {
    private static func fixture(_ name: String) -> String { TestFiles.fixtures.appendingPathComponent(name).path }

    private static func copy(
        _ path: String, _ encoding: CopyEncoding, maximumEdge: Int? = nil,
        sensitive treatment: JudgedCopy.Treatment = .refusal, findsTestPatterns: Bool = true,
        score: @escaping @Sendable (PixelImage) throws -> Float = { _ in 0 }
    ) async throws -> JudgedCopy {
        let request = AnalysisRequest(policy: .simple, findsTestPatterns: findsTestPatterns)
        return try await AnalysisEngineTests.engine(score: score).judgedCopy(
            request, maximumEdge: maximumEdge, encoding, sensitive: treatment
        ) { .file(path: path) }.get()
    }

    private static func bytes(_ copy: JudgedCopy) throws -> [UInt8] {
        try unsafe #require(copy.file).withBytes { unsafe [UInt8]($0) }
    }

    private static func picture(_ file: SealedMemory) async throws -> JudgedPicture {
        let request = AnalysisRequest(policy: .simple, findsTestPatterns: true)
        return try await AnalysisEngineTests.engine { _ in 0 }.judgedPicture(request, maximumEdge: nil) {
            .memory(file)
        }
    }

    private static func pixels(_ judged: JudgedPicture) -> [UInt8] {
        unsafe judged.picture.picture.memory.withBytes { unsafe [UInt8]($0) }
    }

    @Test(arguments: [
        "plain/plain.jpg", "plain/plain.heic", "colour/rgba.png", "orientation/jpeg-6.jpg", "colour/cmyk.jpg",
    ])
    func `A PNG copy has exactly the judged pixels, and a copy of the copy has the same bytes`(
        name: String
    ) async throws {
        let original = try await AnalysisEngineTests.engine { _ in 0 }.judgedPicture(
            AnalysisRequest(policy: .simple), maximumEdge: nil
        ) { .file(path: Self.fixture(name)) }
        let copy = try await Self.copy(Self.fixture(name), CopyEncoding(format: .png))
        let file = try #require(copy.file)
        #expect(Self.pixels(try await Self.picture(file)) == Self.pixels(original))
        try await TestFiles.withFolder { folder in
            let place = folder.appendingPathComponent("copy.png")
            try Data(try Self.bytes(copy)).write(to: place)
            let second = try await Self.copy(place.path, CopyEncoding(format: .png))
            #expect(try Self.bytes(second) == Self.bytes(copy))
        }
    }

    @Test func `A copy has no metadata of the original`() async throws {
        for (format, forbidden) in [
            (CopyEncoding.Format.png, ["eXIf", "iCCP", "tEXt", "iTXt", "tIME"]),
            (.jpeg, ["Exif", "ICC_PROFILE", "http"]),
            (.webp, ["EXIF", "ICCP", "XMP "]),
        ] {
            for name in ["orientation/jpeg-6.jpg", "colour/cmyk.jpg", "colour/rgba.png"] {
                let text = String(
                    decoding: try Self.bytes(try await Self.copy(Self.fixture(name), CopyEncoding(format: format))),
                    as: Unicode.ASCII.self)
                for word in forbidden { #expect(!text.contains(word), "\(name) as \(format)") }
            }
        }
    }

    @Test(arguments: [CopyEncoding.Format.jpeg, .webp])
    func `A lossy copy shows the judged picture, at the size and quality that were asked for`(
        format: CopyEncoding.Format
    ) async throws {
        let path = Self.fixture("plain/plain.png")
        let fine = try await Self.copy(path, CopyEncoding(format: format, quality: 95))
        let coarse = try await Self.copy(path, CopyEncoding(format: format, quality: 10))
        #expect(try Self.bytes(coarse).count * 2 < Self.bytes(fine).count)
        let small = try await Self.picture(
            try #require(try await Self.copy(path, CopyEncoding(format: format), maximumEdge: 100).file))
        #expect(small.picture.picture.layout.width == 100)
        let shown = try await Self.picture(try #require(fine.file))
        let original = try await AnalysisEngineTests.engine { _ in 0 }.judgedPicture(
            AnalysisRequest(policy: .simple), maximumEdge: nil
        ) { .file(path: path) }
        let (one, other) = (Self.pixels(shown), Self.pixels(original))
        let size = one.count / (320 * 240)
        let difference = (0..<(320 * 240)).reduce(0) { sum, pixel in
            sum + (0..<3).reduce(0) { $0 + abs(Int(one[pixel * size + $1]) - Int(other[pixel * 3 + $1])) }
        }
        #expect(difference < 6 * 3 * 320 * 240)
    }

    @Test func `A JPEG copy begins with the mark of JFIF, so that no program takes it for another format`() async throws
    {
        let copy = try await Self.copy(Self.fixture("orientation/webp-6.webp"), CopyEncoding(format: .jpeg))
        #expect(
            try Self.bytes(copy).prefix(11).elementsEqual([0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0]))
    }

    @Test func `Transparent pixels have the background that was asked for in a JPEG copy`() async throws {
        let clear = [UInt8](repeating: 0, count: 32 * 32 * 4)
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("clear.pam")
            let header = "P7\nWIDTH 32\nHEIGHT 32\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
            try Data(header.utf8 + clear).write(to: file)
            let background = PictureEncoding.Background(red: 10, green: 200, blue: 90)
            let copy = try await Self.copy(file.path, CopyEncoding(format: .jpeg, background: background))
            let pixels = Self.pixels(try await Self.picture(try #require(copy.file)))
            #expect(zip(pixels.prefix(3), [10, 200, 90]).allSatisfy { abs(Int($0) - $1) <= 3 })
        }
    }

    @Test func `Nothing is written of a sensitive picture, unless a person wants it or a cover is asked for`()
        async throws
    {
        let path = Self.fixture("regression/sensitive-cut.png")
        let png = CopyEncoding(format: .png)
        let refused = try await Self.copy(path, png)
        #expect(refused.analysis.isSensitive && refused.file == nil)
        let wanted = try await Self.copy(path, png, sensitive: .picture)
        #expect(wanted.analysis.isSensitive)
        #expect(try await Self.picture(try #require(wanted.file)).analysis.verdict.isSensitive)
        let covered = try await Self.copy(path, png, sensitive: .cover)
        #expect(covered.analysis.isSensitive)
        let cover = try await Self.picture(try #require(covered.file))
        #expect(!cover.analysis.verdict.isSensitive)
        // Nine samples along the longer edge, as InterventionKit covers pictures.
        let pixels = Self.pixels(cover)
        var colours: Set<[UInt8]> = []
        for start in stride(from: 0, to: pixels.count, by: 3) { colours.insert(Array(pixels[start..<(start + 3)])) }
        #expect(colours.count <= 81)
    }

    @Test func `A copy whose own pixels are sensitive is not written`() async throws {
        // The first score is that of the judged pixels, and the second that of the copy.
        for format in CopyEncoding.Format.allCases {
            let calls = Shared(0)
            let copy = try await Self.copy(
                Self.fixture("plain/plain.png"), CopyEncoding(format: format), findsTestPatterns: false
            ) { _ in
                calls.change { $0 += 1 }
                return calls.value == 1 ? 0 : 0.9
            }
            #expect(copy.analysis.isSensitive && copy.analysis.score == 0.9 && copy.file == nil, "\(format)")
            #expect(calls.value >= 2)
        }
    }

    @Test func `A picture that a format cannot hold is a limit, and the encoder goes on`() async throws {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("wide.ppm")
            try Data("P6\n20000 1\n255\n".utf8 + [UInt8](repeating: 9, count: 60_000)).write(to: file)
            let failure = try await #require(throws: AnalysisFailure.self) {
                try await Self.copy(file.path, CopyEncoding(format: .webp))
            }
            #expect(failure.code == .limitExceeded && failure.message.contains("WebP"))
            #expect(try await Self.copy(file.path, CopyEncoding(format: .png)).file != nil)
        }
    }
}
