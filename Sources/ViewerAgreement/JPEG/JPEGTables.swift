// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The segments and tables before the data of a JPEG picture, checked for differences between programs.
///
/// Source: ITU-T T.81, annexes B.1.1.3, B.2.4 and F.1.2.
struct JPEGTables {
    /// Whether there are codes of a run of zeros without a coefficient after it.
    ///
    /// At such a code libjpeg ends the block, but FFmpeg continues. In a progressive picture it has another meaning.
    private var hasRunsAlone = false

    /// Checks a segment, and notes its Huffman codes if it has any.
    ///
    /// - Parameter content: the whole segment after its length.
    /// - Throws: `ambiguousRendering`.
    mutating func add(_ content: [UInt8], marker: UInt8) throws(DecodingFailure) {
        switch marker {
        case Self.huffman: try addCodes(content)
        case Self.quantization: try Self.checkQuantization(content)
        case 0xE0...0xEF:
            // In a segment of less than four bytes, FFmpeg skips only the length, so it finds markers in the rest.
            guard content.count >= 4 || !content.contains(0xFF) else { throw DecodingFailure(.namelessSegment, .jpeg) }
        default:
            guard Self.isUsual(marker) else { throw DecodingFailure(.foreignSegments, .jpeg) }
        }
    }

    /// Checks the tables that have been noted.
    ///
    /// - Throws: `ambiguousRendering` if the tables mean something else in other programs.
    func check(isProgressive: Bool) throws(DecodingFailure) {
        guard isProgressive || !hasRunsAlone else { throw DecodingFailure(.meaninglessCodes, .jpeg) }
    }

    /// Returns whether a segment may stand before the data.
    ///
    /// FFmpeg looks for markers inside all other segments.
    private static func isUsual(_ marker: UInt8) -> Bool {
        (0xC0...0xC7).contains(marker) || (0xC9...0xCB).contains(marker) || (0xCD...0xCF).contains(marker)
            || [0xDA, 0xDD, 0xFE].contains(marker)
    }

    private mutating func addCodes(_ content: [UInt8]) throws(DecodingFailure) {
        var rest = content[...]
        while let kind = rest.first, rest.count >= 17 {
            let count = rest.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
            for symbol in rest.dropFirst(17).prefix(count) {
                if kind >> 4 == 0 {
                    guard symbol <= 11 else { throw DecodingFailure(.longDifferences, .jpeg) }
                } else {
                    guard symbol & 15 <= 10 else { throw DecodingFailure(.longCoefficients, .jpeg) }
                    if symbol & 15 == 0, symbol != 0, symbol != 0xF0 { hasRunsAlone = true }
                }
            }
            rest = rest.dropFirst(17 + count)
        }
    }

    private static func checkQuantization(_ content: [UInt8]) throws(DecodingFailure) {
        var rest = content[...]
        while let kind = rest.first {
            // libjpeg reads any other kind as 16 bits.
            guard kind >> 4 <= 1 else { throw DecodingFailure(.unknownQuantization, .jpeg) }
            rest = rest.dropFirst(kind >> 4 == 0 ? 65 : 129)
        }
    }

    static let huffman: UInt8 = 0xC4
    static let quantization: UInt8 = 0xDB
}
