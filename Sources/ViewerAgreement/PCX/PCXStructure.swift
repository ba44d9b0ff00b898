// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Checks the structure of a PCX file.
///
/// Source: ZSoft, "PCX Technical Reference Manual", revision 5.
enum PCXStructure {
    static func fits(_ prefix: [UInt8]) -> Bool {
        prefix.count >= headerSize && prefix[0] == 10 && [0, 2, 3, 5].contains(prefix[1]) && prefix[2] == 1
            && [1, 2, 4, 8].contains(prefix[3])
    }

    /// - Parameter bytes: the whole file.
    static func picture(_ bytes: [UInt8]) throws(DecodingFailure) -> StillPicture {
        func number(_ offset: Int) -> Int { Int(bytes.littleEndian(at: offset, as: UInt16.self) ?? 0) }
        guard fits(bytes) else { throw broken("the header is broken") }
        let (width, height) = (number(8) - number(4) + 1, number(10) - number(6) + 1)
        let (bits, planes, bytesPerRow) = (Int(bytes[3]), Int(bytes[65]), number(66))
        guard width > 0, height > 0, bytesPerRow >= (width * bits + 7) / 8 else { throw broken("the header is broken") }
        switch (planes, bits) {
        case (1, 8), (3, 8): break
        case (1, 1):
            // FFmpeg shows black and white, and some programs the two colours of the header.
            guard [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0xFF, 0xFF, 0xFF]].contains(bytes[16..<22]) else {
                throw DecodingFailure(.coloursOfOneBit, .pcx)
            }
        case (1, 2), (1, 4), (2, 1), (3, 1), (4, 1):
            // Version 3 has the colours of the display.
            guard bytes[1] != 3 else { throw DecodingFailure(.missingPalette, .pcx) }
        default:
            throw DecodingFailure(.unsupportedVariant, format: .pcx, detail: "\(planes) planes of \(bits) bits")
        }
        let end = try endOfRows(bytes, bytesPerRow: bytesPerRow * planes, height: height)
        guard bits == 8, planes == 1 else {
            try StillPicture.checkEnd(bytes[end...], .pcx)
            return StillPicture(.pcx, width: width, height: height)
        }
        let palette = bytes.count - 769
        guard palette >= end, bytes[palette] == 12 else { throw broken("the palette is missing") }
        try StillPicture.checkEnd(bytes[end..<palette], .pcx)
        return StillPicture(.pcx, width: width, height: height)
    }

    /// Returns the position behind the last row; programs disagree about a run that leads into the next row.
    private static func endOfRows(_ bytes: [UInt8], bytesPerRow: Int, height: Int) throws(DecodingFailure) -> Int {
        var position = headerSize
        for _ in 0..<height {
            var left = bytesPerRow
            while left > 0 {
                guard position < bytes.count else { throw broken("the file ends before its last row") }
                let isRun = bytes[position] >= 0xC0
                let length = isRun ? Int(bytes[position] & 0x3F) : 1
                guard length > 0, length <= left else { throw DecodingFailure(.runBeyondRow, .pcx) }
                left -= length
                position += isRun ? 2 : 1
            }
        }
        guard position <= bytes.count else { throw broken("the file ends before its last row") }
        return position
    }

    private static let headerSize = 128

    private static func broken(_ detail: String) -> DecodingFailure {
        DecodingFailure(.malformed, format: .pcx, detail: detail)
    }
}
