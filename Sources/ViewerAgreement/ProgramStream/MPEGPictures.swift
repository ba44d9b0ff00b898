// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Checks that the pictures of a stream are MPEG-1 or MPEG-2, and nothing else for any program.
///
/// Without a map, FFmpeg looks for a codec in the whole data, and VLC in the first bytes. So units of H.264 between those
/// of MPEG-2 are another film for one of them.
///
/// Source: ISO/IEC 13818-2, sections 6.2 and 6.3.
struct MPEGPictures {
    /// Whether a unit stands in a place where only another codec has it.
    private(set) var haveDisagreement = false
    /// The bytes that may belong to a start code or a header that the next packet completes.
    private var rest: [UInt8] = []
    private var isAtStart = true
    /// Whether slices may follow: behind the header of a picture.
    private var isInPicture = false
    /// The number of rows of blocks in the largest picture of the sequence.
    private var rowCount = 0

    /// Reads the next bytes of the stream.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        let bytes = rest + bytes
        if isAtStart, bytes.count >= Self.startCode.count {
            // VLC decides by the first bytes.
            haveDisagreement = haveDisagreement || !bytes.starts(with: Self.startCode)
            isAtStart = false
        }
        var place = 0
        while place + Self.headSize <= bytes.count {
            if bytes[place + 2] > 1 {
                place += 3
            } else if bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 {
                note(bytes[place + 3], size: UInt16(bytes[place + 5] & 0x0F) << 8 | UInt16(bytes[place + 6]))
                place += 3
            } else {
                place += 1
            }
        }
        rest = Array(bytes[min(place, bytes.count)...])
    }

    /// - Parameter size: the number of rows of pixels, if the unit is the header of a sequence.
    private mutating func note(_ code: UInt8, size: UInt16) {
        switch code {
        case 0: isInPicture = true
        case 1...0xAF:
            if !isInPicture || Int(code) > rowCount { haveDisagreement = true }
        // User data and extensions follow pictures as well as sequences.
        case 0xB2, 0xB5: break
        case 0xB3:
            isInPicture = false
            // Pictures of two fields have a whole number of blocks in each.
            rowCount = (Int(size) + 31) / 32 * 2
        case 0xB4, 0xB7, 0xB8: isInPicture = false
        default: haveDisagreement = true
        }
    }

    private static let startCode: [UInt8] = [0, 0, 1, 0xB3]
    /// A start code, and the size in the header of a sequence.
    private static let headSize = 7
}
