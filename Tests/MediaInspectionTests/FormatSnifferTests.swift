// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import MediaInspection
import TestSupport
import Testing

@Suite("The format of a file")
struct FormatSnifferTests {
    static func box(_ brands: String) -> [UInt8] {
        let bytes = Array(brands.utf8)
        return [0, 0, 0, UInt8(bytes.count + 8)] + Array("ftyp".utf8) + bytes
    }

    /// A transport stream: the header of a packet each `length` bytes, and before each what is between them.
    static func packets(_ length: Int, from start: Int, between: UInt8 = 0, flags: UInt8 = 0x10) -> [UInt8] {
        (0..<1024).map { place in
            let offset = (place - start + length) % length
            return place >= start && offset < 4 ? [0x47, 0x40, 0x11, flags][offset] : between
        }
    }

    /// A box whose length has eight bytes.
    private static let longBox =
        [0, 0, 0, 1] + Array("ftyp".utf8) + [0, 0, 0, 0, 0, 0, 0, 24] + Array("avif\0\0\0\0".utf8)

    @Test(
        "is told from its first bytes",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], MediaFormat.jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
            (Array("RIFFxxxxWEBPVP8 ".utf8), .webp), (Array("RIFFxxxxAVI ".utf8), .video),
            (Array("GIF89a".utf8), .gif), ([0xFF, 0x0A], .jpegXL),
            ([0, 0, 0, 0x0C] + Array("JXL ".utf8), .jpegXL), ([0x49, 0x49, 0x2A, 0], .tiff),
            ([0x4D, 0x4D, 0, 0x2B], .tiff), (Array("BM".utf8), .bmp), (box("heic\u{0}\u{0}\u{0}\u{0}mif1heic"), .heic),
            (box("mif1\u{0}\u{0}\u{0}\u{0}mif1avif"), .avif), (box("isom\u{0}\u{0}\u{0}\u{0}isommp42"), .video),
            (longBox, .avif),
            (box("qt  "), .video), ([0x1A, 0x45, 0xDF, 0xA3], .video), (Self.packets(188, from: 0), .video),
            (Self.packets(192, from: 4), .video), (Self.packets(192, from: 4, between: 0x1F), .video),
        ])
    func known(bytes: [UInt8], format: MediaFormat) throws {
        #expect(try FormatSniffer.format(of: bytes) == format)
    }

    @Test(
        "is none for anything else",
        arguments: [
            // Bytes before the first packet could be any file; a packet is neither scrambled nor empty.
            packets(188, from: 100), packets(192, from: 4, between: 0x38), packets(192, from: 4, between: 0x0A),
            // Versions that libnsgif and FFmpeg take for different formats.
            Array("GIF88a".utf8), packets(188, from: 0, flags: 0x90), packets(188, from: 0, flags: 0x00),
            [], [0], Array("hello, this is text".utf8), Array("<svg>".utf8), Array("%PDF-1.7".utf8), [0xFF, 0xD8],
        ])
    func unknown(bytes: [UInt8]) throws {
        #expect(try FormatSniffer.format(of: bytes) == nil)
    }
}

/// The format of a file; nil where it is ambiguous, which folders must not pass over as they do no media.
private func sniffed(_ prefix: [UInt8]) -> MediaFormat? {
    do throws(DecodingFailure) {
        guard let format = try FormatSniffer.format(of: prefix) else {
            Issue.record("the file counts as no media")
            return nil
        }
        return format
    } catch {
        #expect(error.reason == .ambiguousRendering)
        return nil
    }
}

@Suite("A picture format that is not read here")
struct OtherPictureFormatsTests {
    private static func movie(firstBox length: UInt8, _ change: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, length, 0] + Array("ftypisom".utf8) + [UInt8](repeating: 0, count: 2048)
        change(&bytes)
        return bytes
    }

    @Test("is noticed in a file that begins as a movie")
    func movies() {
        #expect(sniffed(Self.movie(firstBox: 4)) == .video)
        // An icon, a cursor, and TGA, whose kind stands where the length of the box does.
        #expect(sniffed(Self.movie(firstBox: 1)) == nil)
        #expect(sniffed(Self.movie(firstBox: 2)) == nil)
        let targa = Self.movie(firstBox: 3) { $0.replaceSubrange(12..<17, with: [1, 0, 1, 0, 8]) }
        #expect(sniffed(targa) == nil)
        #expect(sniffed(Self.movie(firstBox: 3)) == .video)
        for kind in [[0x3F, 0x80, 0, 0], [0, 0, 0x40, 0x40]] as [[UInt8]] {
            #expect(
                sniffed(Self.movie(firstBox: 4) { $0.replaceSubrange(16..<20, with: kind) }) == nil)
        }
    }

    @Test(
        "is noticed by a signature in the midst of a video",
        arguments: [(128, "DICM"), (2048, "PCD_"), (8, "rorient:"), (9, "rorient:"), (60, "vIMGView")])
    func signatures(place: Int, text: String) {
        for start in [Self.movie(firstBox: 4), [0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 0, count: 2060)] {
            var bytes = start
            bytes.replaceSubrange(place..<(place + text.utf8.count), with: text.utf8)
            #expect(sniffed(bytes) == nil)
        }
    }

    @Test("is noticed in a picture by Photo CD's signature, and no other's")
    func pictures() {
        for (place, text, format) in [(2048, "PCD_", nil), (128, "DICM", .jpeg)] as [(Int, String, MediaFormat?)] {
            var bytes: [UInt8] = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 2060)
            bytes.replaceSubrange(place..<(place + 4), with: text.utf8)
            #expect(sniffed(bytes) == format)
        }
    }

    /// A TIFF file whose first numbers are those of a SPIDER picture, the order of bytes included.
    private static func spider(
        kind: Float = 1, header: Float = 1024, record: Float = 512, count: Float = 2, isBig: Bool = true
    ) -> [UInt8] {
        var bytes: [UInt8] = [0x49, 0x49, 0x2A, 0x00] + [UInt8](repeating: 0, count: 2060)
        for (location, number) in [(2, 256), (5, kind), (12, 256), (13, count), (22, header), (23, record)]
            as [(Int, Float)]
        {
            let bits = (0..<4).map { UInt8(number.bitPattern >> (24 - 8 * UInt32($0)) & 255) }
            bytes.replaceSubrange((4 * location - 4)..<(4 * location), with: isBig ? bits : bits.reversed())
        }
        return bytes
    }

    @Test("is noticed in a TIFF file whose numbers are those of a SPIDER picture, which Pillow tries before")
    func spider() {
        #expect(sniffed(Self.spider()) == nil && sniffed(Self.spider(kind: -22)) == nil)
        // Read so, the first number is none.
        #expect(sniffed(Self.spider(isBig: false)) == .tiff)
        #expect(sniffed(Self.spider(kind: 2)) == .tiff && sniffed(Self.spider(header: 1023)) == .tiff)
        #expect(sniffed(Self.spider(record: 512.5)) == .tiff)
    }
}

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

    @Test("is noticed by its packets, in every format and of every length")
    func packets() {
        for (signature, format) in Self.pictures {
            #expect(sniffed(Self.file(signature)) == format)
            for length in [188, 192, 204] {
                for (count, isNoticed) in [(4, false), (5, true)] {
                    let bytes = Self.file(signature) { for index in 0..<count { $0[40 + index * length] = 0x47 } }
                    #expect(sniffed(bytes) == (isNoticed ? nil : format), "\(format) \(length)")
                }
            }
        }
    }

    /// Partitions of MXF, and the headers of NUT and TiVo; sections of DV; a chunk of NSV and the next one.
    private static let containers: [[UInt8]] = [
        [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02],
        [0x4E, 0x4D, 0x7A, 0x56, 0x1F, 0x5F, 0x04, 0xAD], [0xF5, 0x46, 0x7A, 0xBD, 0, 0, 0, 2],
        [UInt8](repeatElement([0x1F, 0x07, 0, 0xBF], count: 3).joined()),
        [0x1F, 0x07, 0, 0x3F] + [UInt8](repeatElement([0x1F, 0x17, 0, 0x3F], count: 9).joined()),
        Array("NSVs".utf8) + [UInt8](repeating: 0, count: 15) + [0x20, 0, 0, 1, 0, 9, 9, 9, 0xEF, 0xBE],
    ]

    @Test("is noticed by a container that may begin anywhere, in every picture", arguments: containers)
    func inPictures(bytes: [UInt8]) {
        for (signature, format) in Self.pictures where format != .video {
            #expect(sniffed(Self.file(signature) { $0.replaceSubrange(700..<(700 + bytes.count), with: bytes) }) == nil)
            #expect(
                sniffed(Self.file(signature) { $0.replaceSubrange(700..<(699 + bytes.count), with: bytes.dropLast()) })
                    == format)
        }
    }

    @Test("is noticed by the name of a box where FFmpeg looks for one", arguments: ["moov", "free", "mdat", "ftyp"])
    func boxes(name: String) {
        for signature in [[0xFF, 0xD8, 0xFF, 0xE2], [0x42, 0x4D, 0x36, 0]] as [[UInt8]] {
            #expect(sniffed(Self.file(signature + Array(name.utf8))) == nil)
        }
    }

    @Test("is noticed as an animation FLI by the length of the first segment of a JPEG")
    func animation() {
        #expect(sniffed(Self.file([0xFF, 0xD8, 0xFF, 0xE2, 0x11, 0xAF])) == nil)
        #expect(sniffed(Self.file([0xFF, 0xD8, 0xFF, 0xE2, 0x11, 0xAE])) == .jpeg)
    }

    @Test("is noticed by lines in which Pillow finds its format IM")
    func lines() {
        let lines = Array(": a\nImage type: L image\n".utf8)
        #expect(sniffed([0x42, 0x4D] + lines + [UInt8](repeating: 0, count: 40)) == nil)
        #expect(sniffed(Array("FLV".utf8) + [1] + lines + [UInt8](repeating: 0, count: 40)) == nil)
        #expect(sniffed([0x42, 0x4D] + Array(": a\nImage kind: L\n".utf8) + [0, 0]) == .bmp)
    }

    /// The bytes of a file of a weak signature, with something far behind its beginning.
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

    /// Pictures of H.263, each at another time.
    private static func pictures(format: UInt8) -> [UInt8] {
        (0..<4).flatMap { time -> [UInt8] in [0, 0, 0x80, time << 2 | 2, format, 0x55] }
    }

    /// The bits of pictures of H.261 in its smaller format, behind some bits: a start code, a time, flags, and three groups.
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
        "is noticed far behind a weak signature", arguments: [[0xFF, 0xD8, 0xFF, 0xE0], [0x42, 0x4D], [0xFF, 0x0A]])
    func farther(signature: [UInt8]) throws {
        let telephony = (0..<8).map { Self.telephony(pictures: 3, behind: String(repeating: "1", count: $0)) }
        let units: [UInt8] = [0, 0, 1, 0x67, 0x64, 0, 30, 0, 0, 1, 0x68, 0xEE, 5, 5]
        for bytes in telephony + [Self.pictures(format: 0x0C), units] + Self.containers {
            for place in [3000, 500_000] {
                #expect(try Self.format(signature, with: bytes, at: place) == nil)
            }
        }
        // Groups in another order, other formats of the source, and a code that no stream of the kind has.
        let stray = Self.telephony(pictures: 3, group: "0100")
        let otherUnits: [UInt8] = [0, 0, 1, 0x85, 9, 9] + units
        // A table of the sizes of samples, as in a movie behind a photograph.
        let sizes = (UInt8(0x20)...0x70).flatMap { size -> [UInt8] in [0, 0, 1, size] }
        for bytes in [stray, Self.pictures(format: 0), otherUnits, sizes] {
            #expect(try Self.format(signature, with: bytes, at: 3000) != nil)
        }
    }

    @Test("is noticed by PICT, in every format")
    func pict() {
        for (signature, _) in Self.pictures {
            let bytes = Self.file(signature) { $0.replaceSubrange(522..<528, with: [0, 0x11, 2, 0xFF, 0x0C, 0]) }
            #expect(sniffed(bytes) == nil)
        }
    }

    @Test(
        "is noticed by its first units, in formats of a weak signature",
        arguments: [
            [[0x67, 0x64], [0x68, 0xEB]], [[0x40, 0x01], [0x42, 0x01], [0x44, 0x01]],
            [[0xB3, 0x14, 0, 0xF0, 0x13, 0xFF, 0xFF, 0xE0], [0x00, 0x00], [0x01, 0x12], [0x00, 0x00]],
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

@Suite("Numbers in files")
struct ByteOrderTests {
    @Test("are read in both orders, and not behind the end")
    func numbers() {
        let bytes: [UInt8] = [1, 2, 3, 4]
        #expect(bytes.littleEndian(at: 0, as: UInt32.self) == 0x0403_0201)
        #expect(bytes.bigEndian(at: 0, as: UInt32.self) == 0x0102_0304)
        #expect(bytes.bigEndian(at: 2, as: UInt16.self) == 0x0304)
        #expect(bytes.bigEndian(at: 3, as: UInt16.self) == nil)
        #expect(bytes.littleEndian(at: -1, as: UInt16.self) == nil)
        #expect(bytes.littleEndian(at: .max, as: UInt64.self) == nil)
    }
}
