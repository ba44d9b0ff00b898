// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import AnalysisEngine
import Foundation
import HelperHost
import HelperProtocol
import TestSupport
import Testing

@Suite("Pictures that are given out after they were judged")
struct JudgedPictureTests {
    /// The pixels of a judged picture.
    fileprivate struct Pixels {
        let width: Int
        let height: Int
        let bytes: [UInt8]
        let hasOpacity: Bool
        let judged: JudgedPicture

        init(_ judged: JudgedPicture) {
            let layout = judged.picture.picture.layout
            (width, height, hasOpacity) = (layout.width, layout.height, layout.format.hasOpacity)
            bytes = unsafe judged.picture.picture.memory.withBytes { unsafe Array($0) }
            self.judged = judged
        }

        var isSensitive: Bool { judged.analysis.verdict.isSensitive }

        /// The largest difference of the means of both pictures over a grid of 8 × 8 parts.
        func difference(to other: Pixels) -> Int {
            guard width == other.width, height == other.height, bytes.count == other.bytes.count else { return .max }
            let size = bytes.count / (width * height)
            var difference = 0
            for part in 0..<64 {
                var sums = (0, 0)
                let (rows, columns) = (
                    part / 8 * height / 8..<(part / 8 + 1) * height / 8,
                    part % 8 * width / 8..<(part % 8 + 1) * width / 8
                )
                for y in rows {
                    for x in columns {
                        for channel in 0..<3 {
                            sums.0 += Int(bytes[(y * width + x) * size + channel])
                            sums.1 += Int(other.bytes[(y * width + x) * size + channel])
                        }
                    }
                }
                difference = max(difference, abs(sums.0 - sums.1) / max(1, 3 * rows.count * columns.count))
            }
            return difference
        }
    }

    private static func judged(
        _ path: String, maximumEdge: Int? = nil, policy: AnalysisPolicy = .simple,
        limits: AnalysisLimits = AnalysisLimits(),
        score: @escaping @Sendable (PixelImage) throws -> Float = { _ in 0 }
    ) async throws -> Pixels {
        let request = AnalysisRequest(policy: policy, limits: limits, findsTestPatterns: true)
        return Pixels(
            try await AnalysisEngineTests.engine(score: score).judgedPicture(request, maximumEdge: maximumEdge) {
                .file(path: path)
            })
    }

    private static func fixture(_ name: String) -> String { TestFiles.fixtures.appendingPathComponent(name).path }

    /// Writes a PAM file of made-up pixels with opacity, and calls the closure with its path.
    private static func withPAM<Result>(
        width: Int, height: Int, _ pixels: [UInt8], _ body: (String) async throws -> Result
    ) async throws -> Result {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("picture.pam")
            let header = "P7\nWIDTH \(width)\nHEIGHT \(height)\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
            try Data(header.utf8 + pixels).write(to: file)
            return try await body(file.path)
        }
    }

    @Test(arguments: [
        "plain/plain.jpg", "plain/plain.png", "plain/plain.webp", "plain/plain.tiff", "plain/lossless.webp",
        "plain/plain.heic", "plain/plain.avif", "plain/plain.jxl", "plain/plain.bmp",
    ])
    func `A picture of each format is given out at its full size`(name: String) async throws {
        let reference = try await Self.judged(Self.fixture("plain/plain.png"))
        let pixels = try await Self.judged(Self.fixture(name))
        #expect((pixels.width, pixels.height) == (reference.width, reference.height))
        #expect(!pixels.isSensitive && !pixels.judged.picture.isDamaged)
        let (one, other) = (pixels.withoutOpacity, reference.withoutOpacity)
        #expect(one.difference(to: other) <= 6, "\(name)")
    }

    @Test(arguments: ["jpeg-.jpg", "png-.png", "tiff-.tiff", "webp-.webp", "heic-.heic", "avif-.avif", "jxl-.jxl"])
    func `A picture is given out upright in all orientations`(name: String) async throws {
        func turned(_ orientation: Int) async throws -> Pixels {
            try await Self.judged(
                Self.fixture("orientation/" + name.replacing("-.", with: "-\(orientation).")), maximumEdge: 240
            ).withoutOpacity
        }
        let upright = try await turned(1)
        for orientation in 2...8 {
            #expect(try await turned(orientation).difference(to: upright) <= 4, "\(orientation)")
        }
    }

    @Test func `Every level of pixels with opacity is given out as it is stored`() async throws {
        let pixels = (0..<(37 * 23 * 4)).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 4 * 3) }
        let given = try await Self.withPAM(width: 37, height: 23, pixels) { try await Self.judged($0) }
        #expect(given.hasOpacity && given.width == 37 && given.bytes == pixels)
    }

    @Test func `A reduced picture keeps its opacity`() async throws {
        let half = (0..<(64 * 64)).flatMap { [200, 100, 50, $0 % 64 < 32 ? 255 : 128] as [UInt8] }
        let given = try await Self.withPAM(width: 64, height: 64, half) {
            try await Self.judged($0, maximumEdge: 16)
        }
        #expect(given.hasOpacity && given.width == 16)
        #expect(given.bytes.prefix(4).elementsEqual([200, 100, 50, 255]))
        let last = given.bytes.suffix(4)
        #expect(zip(last, [200, 100, 50, 128]).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(last)")
    }

    @Test func `Transparent pixels are judged over white and over black`() async throws {
        let pixels = [UInt8](repeating: 0, count: 64 * 64 * 4)
        try await Self.withPAM(width: 64, height: 64, pixels) { path in
            for background in [0, 255] as [UInt8] {
                let given = try await Self.judged(path) { image in
                    image.packedBytes.allSatisfy { $0 == background } ? 1 : 0
                }
                #expect(given.isSensitive, "over \(background)")
            }
        }
    }

    @Test(arguments: [1, 7, 100, 100_000]) func `A picture is reduced to the edge that the app asks for`(
        edge: Int
    ) async throws {
        for name in [
            "plain/plain.jpg", "plain/plain.png", "alpha/opaque.png", "colour/cmyk.jpg", "colour/simple/rgba.pam",
        ] {
            let whole = try await Self.judged(Self.fixture(name))
            let given = try await Self.judged(Self.fixture(name), maximumEdge: edge)
            let longest = max(whole.width, whole.height)
            #expect(max(given.width, given.height) == min(edge, longest), "\(name)")
            let (original, expected) = (whole.judged.picture, given.judged.picture)
            #expect(
                (expected.originalWidth, expected.originalHeight) == (original.originalWidth, original.originalHeight))
            let scale = Double(min(edge, longest)) / Double(longest)
            #expect(abs(Double(given.height) - Double(whole.height) * scale) <= 1)
        }
    }

    @Test(arguments: [
        "evasions/ambiguousMedia-transparency-before-palette.png", "evasions/ambiguousMedia-two-crops.avif",
        "evasions/ambiguousMedia-turned-opacity.heic", "evasions/ambiguousMedia-profile-for-one-intent.jpg",
        "evasions/ambiguousMedia-palette-before-bits.tiff", "evasions/ambiguousMedia-movie-inside.jxl",
        "evasions/ambiguousMedia-no-colours.gif", "evasions/ambiguousMedia-uneven-table.png",
    ])
    func `A picture that other programs show differently is given out as it is judged`(name: String) async throws {
        #expect(try await RegressionTests.outcome(of: URL(fileURLWithPath: Self.fixture(name))) == "ambiguousMedia")
        let given = try await Self.judged(Self.fixture(name))
        #expect(given.width > 0)
        // All that is scored is a picture of these pixels over white or black.
        let count = given.width * given.height * 3
        let sizes = Shared<Set<Int>>([])
        _ = try await Self.judged(Self.fixture(name)) { image in
            sizes.change { $0.insert(image.packedBytes.count) }
            return 0
        }
        #expect(sizes.value == [count])
    }

    @Test func `A sensitive picture is given out with its verdict`() async throws {
        let given = try await Self.judged(Self.fixture("regression/sensitive-cut.png"))
        #expect(given.isSensitive && given.width > 0)
    }

    @Test(arguments: [
        ("honest/sticker.webm", AnalysisFailure.Code.unsupportedMedia), ("README.md", .unsupportedMedia),
        ("evasions/ambiguousMedia-primary-is-hidden.avif", .malformedMedia), ("missing.png", .inputUnreadable),
    ])
    func `A file without a picture that can be decoded gives out none`(
        name: String, code: AnalysisFailure.Code
    ) async throws {
        let failure = try await #require(throws: AnalysisFailure.self) { try await Self.judged(Self.fixture(name)) }
        #expect(failure.code == code)
    }

    @Test func `Nothing is given out under a disabled policy, or beyond a limit`() async throws {
        let path = Self.fixture("plain/plain.jpg")
        let disabled = try await #require(throws: AnalysisFailure.self) {
            try await Self.judged(path, policy: .disabled)
        }
        #expect(disabled.code == .analysisDisabled)
        for limits in [
            AnalysisLimits { $0.maximumEdge = 100 },
            AnalysisLimits {
                $0.maximumPixelCount = 1000
                $0.maximumStreamedPixelCount = 1000
            },
            AnalysisLimits { $0.maximumByteCount = 100 },
        ] {
            let failure = try await #require(throws: AnalysisFailure.self) {
                try await Self.judged(path, limits: limits)
            }
            #expect(failure.code == .limitExceeded)
        }
    }

    @Test func `What is given out of a damaged picture has nothing of earlier pictures`() async throws {
        let engine = AnalysisEngineTests.engine(decoder: HelperKind.imageDecoder.executableName, decoderCount: 1) { _ in
            0
        }
        func pixels(_ name: String) async throws -> [UInt8] {
            Pixels(
                try await engine.judgedPicture(AnalysisRequest(policy: .simple), maximumEdge: nil) {
                    .file(path: Self.fixture(name))
                }
            ).bytes
        }
        let damaged = "regression/malformedMedia-damaged-block.heic"
        var seen: Set<[UInt8]> = []
        for earlier in [
            damaged, "plain/plain.heic", "plain/grid.heic", "plain/plain.avif", "orientation/heic-6.heic",
            "colour/cmyk.jpg", "plain/plain.tiff", "orientation/webp-6.webp", "plain/plain.jxl",
        ] {
            _ = try await pixels(earlier)
            for _ in 0..<3 { seen.insert(try await pixels(damaged)) }
        }
        #expect(seen.count == 1)
    }

    @Test func `What is there of a cut picture is given out, and marked as damaged`() async throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.fixture("plain/plain.jpg")))
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("cut.jpg")
            try bytes.prefix(bytes.count / 2).write(to: file)
            #expect(try await Self.judged(file.path).judged.picture.isDamaged)
        }
        #expect(try await Self.judged(Self.fixture("regression/sensitive-cut.png")).judged.picture.isDamaged)
    }
}

extension JudgedPictureTests.Pixels {
    /// The same picture without its opacity.
    fileprivate var withoutOpacity: Self { hasOpacity ? Self(dropping: self) : self }

    private init(dropping other: Self) {
        (width, height, hasOpacity, judged) = (other.width, other.height, false, other.judged)
        bytes = other.bytes.indices.filter { $0 % 4 < 3 }.map { other.bytes[$0] }
    }
}
