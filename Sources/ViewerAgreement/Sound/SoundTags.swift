// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Counts the pictures in the tags of sound files, because FFmpeg leaves out pictures whose kind it does not know.
///
/// Programs that show covers tell their kind by the content. Each function returns nil if a tag could hold pictures in
/// a way that is not read here.
package enum SoundTags {
    /// Returns the number of pictures in an ID3v2 tag at the start of a file, and the length of the tag in bytes.
    ///
    /// Source: ID3v2.3 and ID3v2.4, sections 3 and 4.
    package static func id3Pictures(in file: InputFile) throws(DecodingFailure) -> (count: Int, length: Int)? {
        let header = try file.bytes(at: 0, count: 10)
        guard header.hasText("ID3", at: 0), let size = synchsafe(header, at: 6) else { return nil }
        // Each flag means that frames are stored in another way, and each further version has other frames. FFmpeg
        // recognises the content behind a longer tag by the name of the file only.
        guard header[3] == 3 || header[3] == 4, header[5] == 0, size <= longestTag else { return nil }
        let tag = try file.bytes(at: 10, count: size)
        guard tag.count == size else { return nil }
        var (position, count) = (0, 0)
        while position + 10 <= size, tag[position] != 0 {
            let length =
                header[3] == 4
                ? synchsafe(tag, at: position + 4)
                : tag.bigEndian(at: position + 4).map { (value: UInt32) in Int(value) }
            guard let length, length > 0, position + 10 + length <= size, tag[position + 9] == 0 else { return nil }
            let letters = tag[position..<(position + 4)]
            // Programs read a size in another way if what follows it has no name.
            guard letters.allSatisfy({ (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }) else { return nil }
            let name = String(decoding: letters, as: UTF8.self)
            if name == "APIC" {
                count += 1
            } else if !name.hasPrefix("T") && !name.hasPrefix("W") && !textFrames.contains(name) {
                return nil
            }
            position += 10 + length
        }
        return tag[position...].allSatisfy { $0 == 0 } ? (count, 10 + size) : nil
    }

    /// Whether bytes of a file are frames of MPEG audio from the first to the last, with an ID3v1 tag at most behind them.
    ///
    /// Source: ISO/IEC 11172-3, section 2.4.2.3.
    package static func areAudioFrames(_ file: InputFile, from start: Int) throws(DecodingFailure) -> Bool {
        var (position, count) = (start, 0)
        var end = file.byteCount
        if try file.bytes(at: end - 128, count: 3).hasText("TAG", at: 0) { end -= 128 }
        var (buffer, origin) = ([UInt8](), 0)
        while position + 4 <= end {
            if position + 4 > origin + buffer.count {
                (buffer, origin) = (try file.bytes(at: position, count: 1 << 16), position)
            }
            guard let length = frameLength(buffer, at: position - origin) else { return false }
            position += length
            count += 1
        }
        return count >= fewestFrames
    }

    /// Returns the number of pictures in the blocks of a FLAC file; source: RFC 9639, section 8.
    package static func flacPictures(in file: InputFile) throws(DecodingFailure) -> Int? {
        var (position, count) = (4, 0)
        for _ in 0..<mostBlocks {
            let header = try file.bytes(at: position, count: 4)
            guard header.count == 4 else { return nil }
            let length = Int(header[1]) << 16 | Int(header[2]) << 8 | Int(header[3])
            switch header[0] & 0x7F {
            case 0, 1, 3, 5: break
            case 4:
                guard commentPictures(try file.bytes(at: position + 4, count: length)) == 0 else { return nil }
            case 6: count += 1
            default: return nil
            }
            position += 4 + length
            if header[0] & 0x80 != 0 {
                let frame = try file.bytes(at: position, count: 2)
                return frame.count == 2 && frame[0] == 0xFF && frame[1] & 0xFE == 0xF8 ? count : nil
            }
        }
        return nil
    }

    /// Returns the number of pictures in the comments of a stream; nil for pictures that FFmpeg does not read.
    ///
    /// Source: https://wiki.xiph.org/VorbisComment, "Cover art".
    package static func commentPictures(_ comments: [UInt8]) -> Int? {
        let text = comments.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let hasOther = text.indices.contains { text[$0] == 0x63 && text.hasText("coverart", at: $0) }
        return hasOther
            ? nil : text.indices.count { text[$0] == 0x6D && text.hasText("metadata_block_picture", at: $0) }
    }

    private static func synchsafe(_ bytes: [UInt8], at place: Int) -> Int? {
        guard place + 4 <= bytes.count, bytes[place..<(place + 4)].allSatisfy({ $0 < 0x80 }) else { return nil }
        return bytes[place..<(place + 4)].reduce(0) { $0 << 7 | Int($1) }
    }

    /// Returns the length of a frame of layer III in bytes; nil for a header of anything else.
    private static func frameLength(_ bytes: [UInt8], at place: Int) -> Int? {
        guard place + 4 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xE6 == 0xE2 else { return nil }
        let version = bytes[place + 1] >> 3 & 3
        let (rateIndex, frequencyIndex) = (Int(bytes[place + 2] >> 4), Int(bytes[place + 2] >> 2 & 3))
        guard version != 1, (1...14).contains(rateIndex), frequencyIndex < 3 else { return nil }
        let isFirst = version == 3
        let rate = (isFirst ? ratesOfMPEG1 : ratesOfMPEG2)[rateIndex - 1] * 1000
        let frequency = [44_100, 48_000, 32_000][frequencyIndex] / (isFirst ? 1 : version == 2 ? 2 : 4)
        return (isFirst ? 144 : 72) * rate / frequency + Int(bytes[place + 2] >> 1 & 1)
    }

    private static let ratesOfMPEG1 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let ratesOfMPEG2 = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    private static let textFrames: Set<String> = [
        "COMM", "USLT", "UFID", "PCNT", "POPM", "MCDI", "RVA2", "IPLS", "PRIV",
    ]
    private static let longestTag = 512 << 10
    private static let fewestFrames = 2
    private static let mostBlocks = 128
}
