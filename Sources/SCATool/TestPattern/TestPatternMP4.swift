// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Writes pictures as an MP4 file, ten a second.
///
/// Source: ISO/IEC 14496-12 and 14496-15 for the boxes.
struct TestPatternMP4 {
    /// The pictures, all of the same size in multiples of 16, each with its display time in tenths of a second.
    let shots: [(picture: TestPatternPicture, length: Int)]

    func encoded() -> [UInt8] {
        guard let first = shots.first?.picture else { return [] }
        let pictures = H264Pictures(width: first.width, height: first.height)
        var samples: [[UInt8]] = []
        var keys: [Int] = []
        for shot in shots {
            keys.append(samples.count + 1)
            samples.append(pictures.keyPicture(shot.picture.levels))
            for number in 1..<max(1, shot.length) { samples.append(pictures.repeatedPicture(number: number)) }
        }
        // In the file, each H.264 unit follows its length.
        samples = samples.map { Self.number($0.count) + $0 }
        let type = Self.box("ftyp", Array("isom".utf8) + Self.number(512) + Array("isomavc1".utf8))
        let movie = movie(pictures, samples, keys)
        // The pictures follow all other boxes, whose lengths do not depend on the offset.
        let offset = type.count + movie(0).count + 8
        return type + movie(offset) + Self.box("mdat", Array(samples.joined()))
    }

    private func movie(_ pictures: H264Pictures, _ samples: [[UInt8]], _ keys: [Int]) -> (Int) -> [UInt8] {
        let count = samples.count
        let matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap(Self.number)
        let (width, height) = (pictures.width, pictures.height)
        let movieHeader = Self.box(
            "mvhd",
            [0, 0, 0, 0].flatMap(Self.number).prefix(12) + Self.number(10) + Self.number(count)
                + Self.number(0x10000) + [1, 0] + zeros(10) + matrix + zeros(24) + Self.number(2))
        let trackHeader = Self.box(
            "tkhd",
            Self.number(3) + zeros(8) + Self.number(1) + zeros(4) + Self.number(count) + zeros(16) + matrix
                + Self.number(width << 16) + Self.number(height << 16))
        let mediaHeader = Self.box(
            "mdhd", zeros(12) + Self.number(10) + Self.number(count) + [0x55, 0xC4, 0, 0])
        let handler = Self.box("hdlr", zeros(8) + Array("vide".utf8) + zeros(12) + [0])
        let reference = Self.box("dref", zeros(4) + Self.number(1) + Self.box("url ", Self.number(1)))
        let tables: [[UInt8]] = [
            Self.box("stsd", zeros(4) + Self.number(1) + entry(pictures)),
            Self.box("stts", zeros(4) + [1, count, 1].flatMap(Self.number)),
            Self.box("stss", zeros(4) + Self.number(keys.count) + keys.flatMap(Self.number)),
            Self.box("stsc", zeros(4) + [1, 1, count, 1].flatMap(Self.number)),
            Self.box("stsz", zeros(8) + Self.number(count) + samples.flatMap { Self.number($0.count) }),
        ]
        return { offset in
            let all = tables + [Self.box("stco", zeros(4) + [1, offset].flatMap(Self.number))]
            let information = Self.box(
                "minf",
                Self.box("vmhd", Self.number(1) + zeros(8)) + Self.box("dinf", reference)
                    + Self.box("stbl", Array(all.joined())))
            let media = Self.box("mdia", mediaHeader + handler + information)
            return Self.box("moov", movieHeader + Self.box("trak", trackHeader + media))
        }
    }

    private func entry(_ pictures: H264Pictures) -> [UInt8] {
        let (sequence, picture) = (pictures.sequenceParameters, pictures.pictureParameters)
        let configuration = Self.box(
            "avcC",
            [1, sequence[1], sequence[2], sequence[3], 0xFF, 0xE1] + UInt16(sequence.count).bigEndianBytes + sequence
                + [1] + UInt16(picture.count).bigEndianBytes + picture)
        let size = UInt16(pictures.width).bigEndianBytes + UInt16(pictures.height).bigEndianBytes
        let resolution = Self.number(72 << 16)
        return Self.box(
            "avc1",
            zeros(6) + [0, 1] + zeros(16) + size + resolution + resolution + zeros(4) + [0, 1] + zeros(32)
                + [0, 24, 0xFF, 0xFF] + configuration)
    }

    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func number(_ value: Int) -> [UInt8] {
        UInt32(truncatingIfNeeded: value).bigEndianBytes
    }

    private static func box(_ type: String, _ content: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(content)
        return number(bytes.count + 8) + Array(type.utf8) + bytes
    }
}
