// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("A stream that FFmpeg plays in spite of the signature of a file")
struct StreamsInsideTests {
    private static let pictures: [(signature: [UInt8], format: MediaFormat)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        ([0x42, 0x4D], .bmp), ([0x49, 0x49, 0x2A, 0], .tiff), ([0x1A, 0x45, 0xDF, 0xA3], .video),
        ([0, 0, 4, 0] + Array("ftypisom".utf8), .video), ([0, 0, 4, 0] + Array("skip".utf8), .video),
    ]

    private static func file(_ signature: [UInt8], _ change: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
        var bytes = signature + [UInt8](repeating: 0, count: FormatSniffer.prefixLength - signature.count)
        change(&bytes)
        return bytes
    }

    @Test("A stream inside of another format is noticed by its packets, in every format and of every length")
    func packets() {
        for (signature, format) in Self.pictures {
            #expect(sniffed(Self.file(signature)) == format)
            for length in [188, 192, 204] {
                for (count, isNoticed) in [(4, false), (5, true)] {
                    let bytes = Self.file(signature) { bytes in
                        for index in 0..<count { bytes.replace(at: 40 + index * length, with: Self.header) }
                    }
                    #expect(sniffed(bytes) == (isNoticed ? nil : format), "\(format) \(length)")
                }
            }
        }
    }

    /// The header of a packet with a payload.
    private static let header: [UInt8] = [0x47, 0x01, 0x00, 0x10]

    @Test("Headers of packets that are damaged, scrambled or without content are no stream near the start")
    func noHeaders() {
        for header in [[0x47, 0x81, 0, 0x10], [0x47, 0x01, 0, 0x90], [0x47, 0x01, 0, 0x00]] as [[UInt8]] {
            let bytes = Self.file([0xFF, 0xD8, 0xFF, 0xE0]) { bytes in
                for index in 0..<6 { bytes.replace(at: 40 + index * 188, with: header) }
            }
            #expect(sniffed(bytes) == .jpeg)
        }
    }

    @Test("A stream far behind the start is noticed by as many packets as FFmpeg wants", arguments: [188, 192, 204])
    func farPackets(length: Int) {
        func makesStream(_ count: Int, in size: Int, behind: Int = 0) -> Bool {
            var bytes = [UInt8](repeating: 0, count: size)
            for index in 0..<count { bytes.replace(at: behind + index * length, with: Self.header) }
            return StreamSearch(bytes).hasContainer
        }
        // Seven of ten packets are enough of a block of a hundred, wherever the block is.
        #expect(makesStream(70, in: 1 << 20, behind: 3 * 100 * length))
        #expect(!makesStream(69, in: 1 << 20, behind: 3 * 100 * length))
        #expect(makesStream(240, in: 65_536, behind: 10_000))
        #expect(!makesStream(20, in: 32_768, behind: 10_000))
    }

    @Test("Bytes of a flat picture, which repeat at a length that divides a packet, are no stream")
    func flatPicture() {
        var bytes = [UInt8](repeating: 0xA5, count: 65_536)
        // A period of 94 bytes, with many bytes that look like the start of a packet.
        for start in stride(from: 9000, to: 60_000, by: 94) {
            for offset in stride(from: 0, to: 90, by: 6) { bytes.replace(at: start + offset, with: Self.header) }
        }
        #expect(!StreamSearch(bytes).hasContainer)
    }

    /// Signatures of MXF, NUT, TiVo and DV (twice), and a chunk of NSV with the start of the next chunk.
    private static let containers: [[UInt8]] = [
        [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02],
        [0x4E, 0x4D, 0x7A, 0x56, 0x1F, 0x5F, 0x04, 0xAD], [0xF5, 0x46, 0x7A, 0xBD, 0, 0, 0, 2],
        [UInt8](repeatElement([0x1F, 0x07, 0, 0xBF], count: 3).joined()),
        [0x1F, 0x07, 0, 0x3F] + [UInt8](repeatElement([0x1F, 0x17, 0, 0x3F], count: 9).joined()),
        Array("NSVs".utf8) + [UInt8](repeating: 0, count: 15) + [0x20, 0, 0, 1, 0, 9, 9, 9, 0xEF, 0xBE],
    ]

    @Test("A container that may begin anywhere is noticed in every picture", arguments: containers)
    func inPictures(bytes: [UInt8]) {
        for (signature, format) in Self.pictures where format != .video {
            #expect(sniffed(Self.file(signature) { $0.replaceSubrange(700..<(700 + bytes.count), with: bytes) }) == nil)
            #expect(
                sniffed(Self.file(signature) { $0.replaceSubrange(700..<(699 + bytes.count), with: bytes.dropLast()) })
                    == format)
        }
    }

    @Test(
        "A stream is noticed by the name of a box where FFmpeg looks for one",
        arguments: ["moov", "free", "mdat", "ftyp"])
    func boxes(name: String) {
        for signature in [[0xFF, 0xD8, 0xFF, 0xE2], [0x42, 0x4D, 0x36, 0]] as [[UInt8]] {
            #expect(sniffed(Self.file(signature + Array(name.utf8))) == nil)
        }
    }

    @Test("An FLI animation is noticed by the length of the first segment of a JPEG")
    func animation() {
        #expect(sniffed(Self.file([0xFF, 0xD8, 0xFF, 0xE2, 0x11, 0xAF])) == nil)
        #expect(sniffed(Self.file([0xFF, 0xD8, 0xFF, 0xE2, 0x11, 0xAE])) == .jpeg)
    }

    @Test("The format IM is noticed by lines in which Pillow finds it")
    func lines() {
        let lines = Array(": a\nImage type: L image\n".utf8)
        #expect(sniffed([0x42, 0x4D] + lines + [UInt8](repeating: 0, count: 40)) == nil)
        #expect(sniffed(Array("FLV".utf8) + [1] + lines + [UInt8](repeating: 0, count: 40)) == nil)
        #expect(sniffed([0x42, 0x4D] + Array(": a\nImage kind: L\n".utf8) + [0, 0]) == .bmp)
    }

    /// Returns the format of a file with a weak signature, and with the given bytes far behind its start.
    private static func format(_ signature: [UInt8], with bytes: [UInt8], at place: Int) throws -> MediaFormat? {
        var file = signature + [UInt8](repeating: 0xAA, count: 1 << 20)
        file.replaceSubrange(place..<(place + bytes.count), with: bytes)
        do {
            guard case .value(let format) = try InputFile(SealedMemory.copying(file).descriptor).format() else {
                return nil
            }
            return format
        } catch let failure as DecodingFailure {
            #expect(failure.reason == .ambiguousRendering)
            return nil
        }
    }

    /// H.263 pictures with different times.
    private static func pictures(format: UInt8) -> [UInt8] {
        (0..<4).flatMap { time -> [UInt8] in [0, 0, 0x80, time << 2 | 2, format, 0x55] }
    }

    /// H.261 pictures of the smaller size behind some bits; each has a start code, a time, flags and groups.
    private static func telephony(pictures count: Int, behind bits: String = "", group: String = "0011") -> [UInt8] {
        let code = "0000000000000001"
        let groups = ["0001", group, "0101"].map { code + $0 + "01000" + "0" }
        let picture = code + "0000" + "00000" + "000011" + "0" + groups.joined()
        let all = bits + String(repeating: picture, count: count)
        return stride(from: 0, to: all.count - 7, by: 8).map { start in
            UInt8(all.dropFirst(start).prefix(8), radix: 2) ?? 0
        }
    }

    @Test(
        "A stream inside is noticed far behind a weak signature",
        arguments: [[0xFF, 0xD8, 0xFF, 0xE0], [0x42, 0x4D], [0xFF, 0x0A]])
    func farther(signature: [UInt8]) throws {
        let telephony = (0..<8).map { Self.telephony(pictures: 3, behind: String(repeating: "1", count: $0)) }
        let units: [UInt8] = [0, 0, 1, 0x67, 0x64, 0, 30, 0, 0, 1, 0x68, 0xEE, 5, 5]
        for bytes in telephony + [Self.pictures(format: 0x0C), units] + Self.containers {
            for place in [3000, 500_000] {
                #expect(try Self.format(signature, with: bytes, at: place) == nil)
            }
        }
        // Groups in another order, another source format, and a start code that no elementary stream has.
        let stray = Self.telephony(pictures: 3, group: "0100")
        let otherUnits: [UInt8] = [0, 0, 1, 0x85, 9, 9] + units
        // A table of sample sizes, as in a movie behind a photograph.
        let sizes = (UInt8(0x20)...0x70).flatMap { size -> [UInt8] in [0, 0, 1, size] }
        for bytes in [stray, Self.pictures(format: 0), otherUnits, sizes] {
            #expect(try Self.format(signature, with: bytes, at: 3000) != nil)
        }
    }

    /// The start of a JPEG picture with a name, a frame and a scan, and more bytes behind it.
    private static func jpeg(
        name: String = "JFIF", frame: UInt8 = 0xC0, scan: UInt8 = 0xDA, before: [UInt8] = [], behind: [UInt8] = [0x55]
    ) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, name == "Exif" ? 0xE1 : 0xE0, 0, 6] + Array(name.utf8) + before + [
            0xFF, frame, 0, 2, 0xFF, scan, 0, 2,
        ]
            + behind
    }

    @Test func `A JPEG picture is plain to FFmpeg by its name and its first scan in the first bytes`() {
        let late = [0xFF, 0xE2, 0x08, 0] + [UInt8](repeating: 0, count: 2046)
        let filling = [UInt8](repeating: 0x55, count: 4096)
        for plain in [
            Self.jpeg(), Self.jpeg(name: "Exif"), Self.jpeg(frame: 0xC2), Self.jpeg(behind: filling + [0xFF, 0xD9]),
        ] {
            #expect(JPEGRecognition.isPlain(plain))
        }
        for other in [
            Self.jpeg(name: "JFXX"), Self.jpeg(frame: 0xC8), Self.jpeg(scan: 0xDB), Self.jpeg(before: late),
            Self.jpeg(before: [0xFF, 0xC0, 0, 2]), Self.jpeg(behind: [0xFF, 0xD9]), Self.jpeg(behind: [0xFF, 0xD8]),
            Self.jpeg(behind: [UInt8](repeating: 0x55, count: 3000) + [0xFF, 0x02]), [0xFF, 0xD8, 0xFF],
        ] {
            #expect(!JPEGRecognition.isPlain(other))
        }
    }

    @Test func `Streams behind the first bytes of a plain JPEG picture do not count, and those in them do`() throws {
        let pictures = Self.pictures(format: 0x0C)
        let filling = [UInt8](repeating: 0x55, count: 10_000)
        func format(_ bytes: [UInt8]) -> MediaFormat? {
            guard case .value(let format) = try? InputFile(SealedMemory.copying(bytes).descriptor).format() else {
                return nil
            }
            return format
        }
        #expect(format(Self.jpeg(behind: filling + pictures)) == .jpeg)
        #expect(format(Self.jpeg(name: "JFXX", behind: filling + pictures)) == nil)
        #expect(format(Self.jpeg(behind: Array(filling.prefix(3000)) + pictures + filling)) == nil)
    }

    @Test func `Groups of H.263 that fall, and sizes that change, speak against its pictures`() {
        let pictures = Self.pictures(format: 0x0C) + Self.pictures(format: 0x0C)
        #expect(StreamSearch(pictures + [0x55, 0x55, 0x55]).hasVideo)
        let changing = (0..<8).flatMap { Self.pictures(format: $0 % 2 == 0 ? 0x0C : 0x08).prefix(6) }
        #expect(!StreamSearch(changing + [0x55, 0x55, 0x55]).hasVideo)
        let falling = (0..<8).flatMap { _ in
            Self.pictures(format: 0x0C).prefix(6) + [0, 0, 0xFC, 0x55, 0x55, 0, 0, 0x84, 0x55, 0x55]
        }
        #expect(!StreamSearch(falling).hasVideo)
    }

    @Test("PICT is noticed in every format")
    func pict() {
        for (signature, _) in Self.pictures {
            let bytes = Self.file(signature) { $0.replaceSubrange(522..<528, with: [0, 0x11, 2, 0xFF, 0x0C, 0]) }
            #expect(sniffed(bytes) == nil)
        }
    }

    @Test(
        "A stream inside a format of a weak signature is noticed by its first units",
        arguments: [
            [[0x67, 0x64], [0x68, 0xEB]], [[0x40, 0x01], [0x42, 0x01], [0x44, 0x01]],
            [
                [0xB3, 0x14, 0, 0xF0, 0x13, 0xFF, 0xFF, 0xE0], [0x00, 0x00], [0x01, 0x12], [0x00, 0x00], [0x02, 0x12],
            ],
            [[0x20, 0x00], [0xB6, 0x10]], [[0xBA, 0x44], [0xE0, 0]], [[0xBA, 0x21], [0xC0, 0]],
            [[0x0F, 0xCA], [0x0E, 0x40]], [[0xB0, 0x20], [0xB3, 0x10]],
        ] as [[[UInt8]]])
    func units(codes: [[UInt8]]) {
        for (signature, format) in Self.pictures {
            let isWeak = [.jpeg, .bmp, .tiff].contains(format) || signature.hasText("skip", at: 4)
            for count in 0...codes.count {
                let bytes = Self.file(signature) {
                    for (index, code) in codes.prefix(count).enumerated() {
                        let start = 100 + 20 * index
                        $0.replaceSubrange(start..<(start + 3 + code.count), with: [0, 0, 1] + code)
                    }
                }
                let isNoticed = isWeak && count == codes.count
                #expect(sniffed(bytes) == (isNoticed ? nil : format), "\(format) \(count)")
            }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func replace(at place: Int, with bytes: [UInt8]) {
        replaceSubrange(place..<(place + bytes.count), with: bytes)
    }
}
