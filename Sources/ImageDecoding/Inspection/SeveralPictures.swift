// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

/// Finds the files with more than one picture, for which libvips reports only one.
///
/// A file is never judged by one of its pictures: the sender chooses which one that would be.
enum SeveralPictures {
    /// Whether a PNG file announces an animation, which the chunk `acTL` does before the first image data.
    ///
    /// Source: PNG specification, third edition, section 11.3.3.3.
    static func isAnimatedPNG(_ file: InputFile) throws(DecodingFailure) -> Bool {
        var offset = 8
        for _ in 0..<maximumParts {
            let header = try file.bytes(at: offset, count: 8)
            guard header.count == 8, let length = header.bigEndian(at: 0, as: UInt32.self) else { return false }
            if header.hasText("acTL", at: 4) { return true }
            if header.hasText("IDAT", at: 4) || header.hasText("IEND", at: 4) { return false }
            offset += 12 + Int(length)
        }
        // Nobody needs thousands of chunks before the picture, other than to hide one.
        return true
    }

    /// Checks that an animated PNG file has all the pictures that it announces, and its end.
    ///
    /// Source: PNG specification, third edition, sections 11.2.5 and 11.3.3.
    ///
    /// - Throws: `malformed`.
    static func checkAnimatedPNG(_ file: InputFile) throws(DecodingFailure) {
        var offset = 8
        var (announced, found) = (0, 0)
        while true {
            let header = try file.bytes(at: offset, count: 12)
            guard header.count == 12, let length = header.bigEndian(at: 0, as: UInt32.self),
                offset + 12 + Int(length) <= file.byteCount
            else { throw DecodingFailure(.malformed, format: .png, detail: "it ends in the midst of its pictures") }
            if header.hasText("IEND", at: 4) { break }
            if header.hasText("acTL", at: 4) { announced = Int(header.bigEndian(at: 8, as: UInt32.self) ?? 0) }
            if header.hasText("fcTL", at: 4) { found += 1 }
            offset += 12 + Int(length)
        }
        guard found >= announced else {
            throw DecodingFailure(
                .malformed, format: .png, detail: "\(found) pictures, where \(announced) are announced")
        }
    }

    /// Whether a HEIF or AVIF file has a movie box, and so a sequence of pictures beside its primary one.
    static func hasTrack(_ file: InputFile) throws(DecodingFailure) -> Bool {
        var reader = MediaBoxes(file, maximumCount: maximumParts)
        let isMovie = { (box: MediaBoxes.Box) in box.name == "moov" || box.name == "moof" }
        let boxes = try reader.boxes(in: 0..<file.byteCount, upTo: isMovie)
        return boxes.last.map(isMovie) == true || reader.isExhausted
    }

    private static let maximumParts = 4096
}
