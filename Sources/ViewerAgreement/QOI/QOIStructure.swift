// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Checks the structure of a QOI file.
///
/// Source: The Quite OK Image Format, specification 1.0.
enum QOIStructure {
    /// - Parameter bytes: the whole file.
    static func picture(_ bytes: [UInt8]) throws(DecodingFailure) -> StillPicture {
        guard bytes.count > headerSize, let width: UInt32 = bytes.bigEndian(at: 4),
            let height: UInt32 = bytes.bigEndian(at: 8), width > 0, height > 0, [3, 4].contains(bytes[12])
        else { throw broken("the header is broken") }
        var position = headerSize
        var left = Int(clamping: UInt64(width) * UInt64(height))
        while left > 0 {
            guard position < bytes.count else { throw broken("the file ends before its last pixel") }
            let first = bytes[position]
            // Some programs ignore the opacity of a picture that has none by its header.
            guard first != 0xFF || bytes[12] == 4 else { throw DecodingFailure(.opacityBeyondHeader, .qoi) }
            let length = first >= 0xC0 && first < 0xFE ? Int(first & 0x3F) + 1 : 1
            guard length <= left else { throw DecodingFailure(.runBeyondPicture, .qoi) }
            left -= length
            position += byteCount(ofChunk: first)
        }
        guard bytes[min(position, bytes.count)...].starts(with: endMark) else { throw broken("the end is missing") }
        try StillPicture.checkEnd(bytes[(position + endMark.count)...], .qoi)
        return StillPicture(.qoi, width: Int(width), height: Int(height))
    }

    private static func byteCount(ofChunk first: UInt8) -> Int {
        switch first {
        case 0xFF: 5
        case 0xFE: 4
        case 0x80..<0xC0: 2
        default: 1
        }
    }

    private static let headerSize = 14
    private static let endMark: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

    private static func broken(_ detail: String) -> DecodingFailure {
        DecodingFailure(.malformed, format: .qoi, detail: detail)
    }
}
