// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Foundation
import InterventionKit
import SensitiveContentAnalysis
import TestSupport
import Testing

@Suite("Images with covers over the pictures inside them")
struct CoveredRegionsTests {
    init() throws { try MachinePolicy.ignore() }

    private static func region(
        _ left: Float, _ top: Float, _ right: Float, _ bottom: Float
    ) -> SCSensitivityAnalysis.Region {
        SCSensitivityAnalysis.Region(
            PictureRegion(
                rectangle: UnitRectangle(left: left, top: top, right: right, bottom: bottom),
                contentType: .sexuallyExplicit, score: 0.9))
    }

    /// An image in which each pixel differs from its neighbours, with padding between rows.
    private static func image(_ format: CGImage.PixelFormat, width: Int = 100, height: Int = 60) throws -> CGImage {
        let bytesPerRow = width * format.bytesPerPixel + 5
        let pixels = Data((0..<(bytesPerRow * height)).map { UInt8(truncatingIfNeeded: $0 &* 89 ^ $0 >> 3) })
        return try CGImage(
            width: width, height: height, pixelFormat: format, bytesPerRow: bytesPerRow, pixels: pixels)
    }

    private static func pixel(_ x: Int, _ y: Int, of image: CGImage) -> [UInt8] {
        let start = image.pixels.startIndex + y * image.bytesPerRow + x * image.pixelFormat.bytesPerPixel
        return Array(image.pixels[start..<(start + image.pixelFormat.bytesPerPixel)])
    }

    @Test(arguments: [CGImage.PixelFormat.rgb24, .rgba32])
    func `A cover hides a region and two pixels around it, and leaves all other pixels alone`(
        format: CGImage.PixelFormat
    ) throws {
        let image = try Self.image(format)
        let made = try image.covered(in: [Self.region(0.25, 0.5, 0.5, 1)])
        let covered = try #require(made)
        #expect((covered.width, covered.height, covered.pixelFormat) == (100, 60, format))
        var largestStep = 0
        for y in 0..<60 {
            for x in 0..<100 {
                let pixel = Self.pixel(x, y, of: covered)
                if (23..<52).contains(x), y >= 28 {
                    if x > 23 {
                        let last = Self.pixel(x - 1, y, of: covered)
                        largestStep = max(largestStep, zip(pixel, last).map { abs(Int($0) - Int($1)) }.max() ?? 0)
                    }
                    if format == .rgba32 { #expect(pixel[3] == 255) }
                } else {
                    #expect(pixel == Self.pixel(x, y, of: image))
                }
            }
        }
        // The image is noise, in which neighbours differ by more than half of all levels.
        #expect(largestStep < 40)
    }

    @Test func `An image without regions, or of another pixel format, gets no covers`() throws {
        let none = try Self.image(.rgb24).covered(in: [])
        #expect(none == nil)
        let other = try Self.image(.bgra32).covered(in: [Self.region(0, 0, 0.5, 0.5)])
        #expect(other == nil)
    }

    @Test func `Several regions and regions at the edges are covered`() throws {
        let image = try Self.image(.rgb24)
        let regions = [Self.region(0, 0, 0.3, 0.3), Self.region(0.7, 0.7, 1, 1), Self.region(0.1, 0.1, 0.4, 0.4)]
        let made = try image.covered(in: regions)
        let covered = try #require(made)
        for (x, y) in [(0, 0), (29, 17), (99, 59), (39, 23)] {
            #expect(Self.pixel(x, y, of: covered) != Self.pixel(x, y, of: image))
        }
        #expect(Self.pixel(50, 30, of: covered) == Self.pixel(50, 30, of: image))
    }

    private static func withAttachment(
        _ words: String, policy: SCSensitivityAnalysisPolicy = .simpleInterventions,
        _ body: (MediaAttachment, ScriptedAnalysis) async throws -> Void
    ) async throws {
        try await TestFiles.withFolder { folder in
            let script = ScriptedAnalysis(policy: policy)
            let checker = AttachmentChecker(script.analysis)
            try await body(try MediaAttachmentTests.attachment(words, in: folder, checker), script)
        }
    }

    @Test func `An adult gets the image with its covers while the media is covered, and not before or after`()
        async throws
    {
        try await Self.withAttachment("nudity") { attachment, _ in
            let before = try await attachment.imageWithCoveredRegions()
            #expect(before == nil)
            #expect(try await attachment.isSensitive)
            let small = try await attachment.imageWithCoveredRegions(maximumPixelSize: 5)
            #expect(small?.width == 5)
            _ = attachment.choose(.show, in: attachment.flow)
            let after = try await attachment.imageWithCoveredRegions()
            #expect(after == nil)
        }
    }

    @Test(
        arguments: [
            ("nudity", .descriptiveInterventions), ("harmless", .simpleInterventions), ("broken", .simpleInterventions),
            ("nudity", .disabled),
        ] as [(String, SCSensitivityAnalysisPolicy)])
    func `A child, and anybody for media that is not known to be sensitive, gets no image with covers`(
        words: String, policy: SCSensitivityAnalysisPolicy
    ) async throws {
        try await Self.withAttachment(words, policy: policy) { attachment, _ in
            _ = try? await attachment.isSensitive
            let image = try await attachment.imageWithCoveredRegions()
            #expect(image == nil)
        }
    }

    @Test func `An image with covers is not given out if the policy for children begins meanwhile`() async throws {
        try await Self.withAttachment("nudity") { attachment, script in
            #expect(try await attachment.isSensitive)
            script.duringDecoding { script.set(.descriptiveInterventions) }
            let image = try await attachment.imageWithCoveredRegions()
            #expect(image == nil)
        }
    }

    @Test(.enabled(if: Requirements.hasModel, "\(Requirements.modelRemedy)"))
    func `A screenshot keeps its surroundings and has a cover over the picture inside, and a bare picture has none`()
        async throws
    {
        try await TestFiles.withFolder { folder in
            let checker = AttachmentChecker(
                analyzer: SCSensitivityAnalyzer(configuration: .patient), display: .judgedPixels)
            func attachment(_ name: String, _ file: Data) throws -> MediaAttachment {
                let path = folder.appendingPathComponent(name)
                try file.write(to: path)
                return MediaAttachment(kind: .image, source: .local(path), checker: checker)
            }
            let size = (width: HighDrawing.width, height: HighDrawing.height)
            let screenshot = try attachment(
                "screenshot.bmp", HighDrawing.bitmap(canvas: (1300, 1000), left: 130, top: 200))
            #expect(try await screenshot.isSensitive)
            let covered = try await screenshot.imageWithCoveredRegions()
            let image = try #require(covered)
            #expect((image.width, image.height) == (1300, 1000))
            #expect(Self.pixel(1000, 800, of: image) == [255, 255, 255])
            let reduced = try await screenshot.imageWithCoveredRegions(maximumPixelSize: 650)
            let small = try #require(reduced)
            #expect((small.width, small.height) == (650, 500))
            let bare = try attachment("bare.bmp", HighDrawing.bitmap(canvas: size, left: 0, top: 0))
            #expect(try await bare.isSensitive)
            let none = try await bare.imageWithCoveredRegions()
            #expect(none == nil)
        }
    }
}
