// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Checks that a DV file, as camcorders with tapes write it, consists of frames of one size.
///
/// Source: IEC 61834-2, section 11; SMPTE 314M, section 4.2.
package enum DVFrames {
    /// Whether bytes other than frames of the first frame's system stand in the file; the last frame may be cut off.
    ///
    /// - Throws: `unreadable`.
    package static func haveDisagreement(_ file: InputFile) throws(DecodingFailure) -> Bool {
        let first = try file.bytes(at: 0, count: headSize)
        guard first.count == headSize, first.starts(with: signature) else { return true }
        let isOf50Fields = first[3] & 0x80 != 0
        // Ten or twelve sequences of 150 blocks, each of 80 bytes.
        let (sequenceCount, sequenceSize) = (isOf50Fields ? 12 : 10, 150 * 80)
        for position in stride(from: 0, to: file.byteCount, by: sequenceSize) {
            let head = try file.bytes(at: position, count: headSize)
            let number = position / sequenceSize % sequenceCount
            // The second byte numbers the sequences. Further channels of professional formats set its lower bits.
            guard head.count == headSize else { break }
            guard head[0] & 0xE0 == 0, head[1] == UInt8(number << 4 | 7), head[2] == 0,
                head[3] & 0x80 == first[3] & 0x80
            else { return true }
        }
        return false
    }

    package static let signature: [UInt8] = [0x1F, 0x07, 0x00]
    private static let headSize = 4
}
