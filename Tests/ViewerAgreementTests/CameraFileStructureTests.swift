// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("The structure of camera files")
struct CameraFileStructureTests {
    /// A JPEG picture without coded data: a segment, a frame of the given kind, and a scan.
    private static func jpeg(frame: UInt8 = 0xC0) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 1, 2, 0xFF, frame, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    }

    private static func camera(_ bytes: [UInt8], _ format: MediaFormat = .camera) throws -> CameraFile? {
        try CameraFile(InputFile(SealedMemory.copying(bytes).descriptor), format)
    }

    @Test func `Previews are found at any position, and raw pictures in lossless JPEG are not previews`() throws {
        let file = Array("IIRO".utf8) + Self.jpeg(frame: 0xC3) + Self.jpeg() + [1, 2, 3] + Self.jpeg(frame: 0xC2)
        let camera = try #require(try Self.camera(file))
        #expect(camera.jpegs == [4 + 31, 4 + 62 + 3])
        #expect(camera.orientation == 1)
        let late = Array("IIRO".utf8) + [UInt8](repeating: 0, count: 1 << 18 - 6) + Self.jpeg()
        #expect(try #require(try Self.camera(late)).jpegs == [(1 << 18) - 2])
    }

    @Test(
        "The first directory's orientation counts, and a raw picture below another makes a camera file",
        arguments: TIFFDirectoryTests.shapes)
    func directories(shape: TIFFDirectoryTests.Shape) throws {
        func file(_ entries: [[UInt8]]) -> [UInt8] { shape.file(entries) }
        let raw = shape.entry(262, type: 3, 32_803)
        let camera = try #require(try Self.camera(file([raw, shape.entry(274, type: 3, 6)]), .tiff))
        #expect(camera.orientation == 6)
        #expect(camera.directories.isEmpty)
        #expect(try Self.camera(file([shape.entry(259, type: 3, 34_713)]), .tiff) != nil)
        #expect(try Self.camera(file([shape.entry(262, type: 3, 2)]), .tiff) == nil)
        // A directory that names itself as the next ends the walk.
        #expect(try Self.camera(shape.file([], next: shape.isBig ? 16 : 8), .tiff) == nil)
        #expect(try #require(try Self.camera(file([raw, shape.entry(274, type: 3, 9)]), .tiff)).orientation == 1)
    }

    @Test(arguments: ["FUJIFILMCCD-RAW 0201", "IIU\0\u{8}\0\0\0", "II\u{1A}\0\0\0HEAPCCDR", "MMOR\0\0\0\u{8}", "FOVb"])
    func `Camera files that are no TIFF files are told from their first bytes`(start: String) throws {
        let file = try InputFile(SealedMemory.copying(Array(start.utf8) + [0, 0, 0, 0]).descriptor)
        guard case .value(let format) = try file.format() else {
            Issue.record("no format was found")
            return
        }
        #expect(format == .camera)
    }

    @Test func `A file with more starts of pictures than a camera writes is refused`() {
        let many = Array("IIRO".utf8) + (0..<10_001).flatMap { _ in [0xFF, 0xD8, 0xFF, 0] as [UInt8] }
        #expect(throws: DecodingFailure.self) { try Self.camera(many) }
    }
}
