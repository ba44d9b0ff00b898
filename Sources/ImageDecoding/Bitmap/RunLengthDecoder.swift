// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ViewerAgreement

/// Expands the run-length encodings of BMP files into palette indices, bottom row first.
///
/// Source: Microsoft, "Bitmap Compression".
struct RunLengthDecoder {
    private let bytes: [UInt8]
    private let width: Int
    private let height: Int
    private let isFourBit: Bool

    init(_ file: InputFile, _ header: BitmapHeader) throws(DecodingFailure) {
        bytes = try file.bytes(at: header.pixelOffset, count: file.byteCount)
        (width, height) = (header.width, header.height)
        isFourBit = header.compression == .runLength4
    }

    /// Returns one palette index for each pixel, or -1 for a pixel that the data skip.
    ///
    /// - Throws: `malformed` if the data end too early, `ambiguousRendering` if a run exceeds its row.
    func indices() throws(DecodingFailure) -> [Int16] {
        var indices = [Int16](repeating: -1, count: width * height)
        var position = 0
        var (column, row) = (0, 0)
        func put(_ index: UInt8) {
            if column < width { indices[row * width + column] = Int16(index) }
            column += 1
        }
        while row < height {
            guard position + 1 < bytes.count else { throw Self.truncated }
            let (first, second) = (Int(bytes[position]), bytes[position + 1])
            position += 2
            switch (first, second) {
            case (1..., _):
                for step in 0..<first { put(isFourBit ? nibble(step, of: second) : second) }
            case (_, 0): (column, row) = (0, row + 1)
            case (_, 1): return indices
            case (_, 2):
                guard position + 1 < bytes.count else { throw Self.truncated }
                column += Int(bytes[position])
                row += Int(bytes[position + 1])
                position += 2
            default:
                let count = Int(second)
                let size = isFourBit ? (count + 1) / 2 : count
                guard position + size <= bytes.count else { throw Self.truncated }
                for step in 0..<count {
                    put(isFourBit ? nibble(step, of: bytes[position + step / 2]) : bytes[position + step])
                }
                // Literal runs are padded to an even number of bytes.
                position += size + size % 2
            }
            // Some programs continue such a run in the next row.
            guard column <= width else { throw DecodingFailure(.runBeyondRow, .bmp) }
        }
        return indices
    }

    private func nibble(_ step: Int, of byte: UInt8) -> UInt8 {
        step % 2 == 0 ? byte >> 4 : byte & 15
    }

    private static let truncated = DecodingFailure(.malformed, detail: "the run-length data are broken")
}
