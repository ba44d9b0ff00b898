// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Checks the structure of an SGI picture.
///
/// Source: Paul Haeberli, "The SGI Image File Format", version 1.00.
enum SGIStructure {
    static func fits(_ prefix: [UInt8]) -> Bool {
        prefix.count >= headerSize && prefix.starts(with: signature) && prefix[2] <= 1
            && (1...2).contains(prefix[3])
    }

    /// - Parameter bytes: the whole file.
    static func picture(_ bytes: [UInt8]) throws(DecodingFailure) -> StillPicture {
        func number(_ offset: Int) -> Int { Int(bytes.bigEndian(at: offset, as: UInt16.self) ?? 0) }
        guard fits(bytes) else { throw broken("the header is broken") }
        let (dimension, width, height, channels) = (number(4), number(6), number(8), number(10))
        guard width > 0, height > 0 else { throw broken("the header is broken") }
        let isKnown = dimension == 3 ? [1, 3, 4].contains(channels) : dimension == 2 && channels == 1
        let kindOfColours: UInt32 = bytes.bigEndian(at: 104) ?? 0
        guard isKnown, kindOfColours == 0 else {
            throw DecodingFailure(
                .unsupportedVariant, format: .sgi, detail: "\(dimension) dimensions, \(channels) channels")
        }
        let bytesPerSample = Int(bytes[3])
        let end =
            bytes[2] == 0
            ? headerSize + width * height * channels * bytesPerSample
            : try endOfRows(bytes, count: height * channels, width: width, bytesPerSample)
        guard end <= bytes.count else { throw broken("the file ends before its last row") }
        try StillPicture.checkEnd(bytes[end...], .sgi)
        return StillPicture(.sgi, width: width, height: height)
    }

    /// Returns the position behind the last row of runs.
    ///
    /// Two tables of 32-bit numbers have the start and the length of each row; rows may share their bytes.
    private static func endOfRows(
        _ bytes: [UInt8], count: Int, width: Int, _ bytesPerSample: Int
    ) throws(DecodingFailure) -> Int {
        let lengths = headerSize + 4 * count
        var end = lengths + 4 * count
        guard end <= bytes.count else { throw broken("the tables of rows are cut off") }
        let firstRow = end
        /// The end of each row that was read, by its start.
        var read: [Int: Int] = [:]
        var byteCount = 0
        for row in 0..<count {
            let start = Int(bytes.bigEndian(at: headerSize + 4 * row, as: UInt32.self) ?? 0)
            let length = Int(bytes.bigEndian(at: lengths + 4 * row, as: UInt32.self) ?? 0)
            guard start >= firstRow, start <= bytes.count else { throw broken("a row begins outside of the file") }
            let endOfRow: Int
            if let known = read[start] {
                endOfRow = known
            } else {
                endOfRow = try Self.endOfRow(bytes, from: start, width: width, bytesPerSample)
                byteCount += endOfRow - start
                // Otherwise a small file could demand hours of work.
                guard byteCount <= bytes.count - firstRow else { throw broken("its rows overlap") }
            }
            // Some programs stop at the length; the end mark may be outside of it.
            guard [endOfRow, endOfRow - bytesPerSample].contains(start + length) else {
                throw DecodingFailure(.runBeyondRow, .sgi)
            }
            // ImageMagick looks for another picture behind the row that it reads last.
            guard !bytes[endOfRow...].starts(with: signature), !bytes[(start + length)...].starts(with: signature)
            else {
                throw TrailingMedia.found(.sgi)
            }
            read[start] = endOfRow
            end = max(end, endOfRow)
        }
        return end
    }

    private static func endOfRow(
        _ bytes: [UInt8], from start: Int, width: Int, _ bytesPerSample: Int
    ) throws(DecodingFailure) -> Int {
        var (position, left) = (start, width)
        while position + bytesPerSample <= bytes.count {
            // FFmpeg writes rows without an end mark.
            if left == 0 { return bytes[position + bytesPerSample - 1] == 0 ? position + bytesPerSample : position }
            // Of two bytes the first is 0.
            guard bytesPerSample == 1 || bytes[position] == 0 else { throw broken("a run is broken") }
            let run = bytes[position + bytesPerSample - 1]
            position += bytesPerSample
            let length = Int(run & 0x7F)
            guard length > 0 else { throw broken("a row is too short") }
            guard length <= left else { throw DecodingFailure(.runBeyondRow, .sgi) }
            left -= length
            position += bytesPerSample * (run & 0x80 == 0 ? 1 : length)
        }
        guard left == 0, position <= bytes.count else { throw broken("the file ends before its last row") }
        return position
    }

    private static let headerSize = 512
    private static let signature: [UInt8] = [0x01, 0xDA]

    private static func broken(_ detail: String) -> DecodingFailure {
        DecodingFailure(.malformed, format: .sgi, detail: detail)
    }
}
