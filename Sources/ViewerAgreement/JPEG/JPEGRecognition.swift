// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Tells whether FFmpeg takes a file for JPEG by its first bytes, and looks at no more.
///
/// FFmpeg and mpv look at 2 KiB or 4 KiB, and at more only if no format is plain by then. A JPEG is plain if the names
/// JFIF or Exif and the start of a scan lie in these bytes, without markers that no JPEG has.
///
/// Source: the behaviour of FFmpeg 5.1 and 7.1 (libavformat/img2dec.c).
enum JPEGRecognition {
    /// The numbers of bytes at which a program may stop; VLC looks at the second.
    private static let lengths = [2048, 2261, mostBytes]
    /// The most bytes of the file that decide.
    static let mostBytes = 4096

    /// - Parameter bytes: the first 4 KiB of the file.
    static func isPlain(_ bytes: [UInt8]) -> Bool {
        lengths.allSatisfy { isPlain(bytes, length: min($0, bytes.count)) }
    }

    private static func isPlain(_ bytes: [UInt8], length: Int) -> Bool {
        func byte(_ place: Int) -> UInt8 { place < length ? bytes[place] : 0 }
        guard byte(0) == 0xFF, byte(1) == 0xD8 else { return false }
        var (place, hasFrame, hasScan, hasName) = (2, false, false, false)
        while place < length - 1 {
            defer { place += 1 }
            guard byte(place) == 0xFF else { continue }
            let marker = byte(place + 1)
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7:
                guard !hasFrame else { return false }
                hasFrame = true
            case 0xDA:
                guard hasFrame else { return false }
                hasScan = true
            case 0xE0...0xEF, 0xFE:
                let name: StaticString? = marker == 0xE0 ? "JFIF" : marker == 0xE1 ? "Exif" : nil
                if let name, place + 8 <= length, bytes.hasText(name, at: place + 4) { hasName = true }
            // The end of the picture, its start, and markers without a meaning.
            case 0x02...0xBF, 0xC8, 0xD8, 0xD9: return false
            default: continue
            }
            place += (Int(byte(place + 2)) << 8 | Int(byte(place + 3))) + 1
        }
        return hasScan && hasName
    }
}
