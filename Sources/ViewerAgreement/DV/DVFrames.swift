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
            // FFmpeg takes the size of a frame from a part behind the headers, and other programs from the first byte.
            if position / sequenceSize % sequenceCount == 0 {
                let start = try file.bytes(at: position, count: kindPosition + 1)
                guard start.count <= kindPosition || start[kindPosition] & 0x1F == 0 && start[4] & 7 == first[4] & 7
                else {
                    return true
                }
            }
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
    private static let headSize = 5
    /// The position of the kind of a frame: 0 stands for 25 Mbit/s.
    private static let kindPosition = 80 * 5 + 48 + 3

    /// Whether a packet of DV in another container has another size than the kind of its frame says.
    static func hasOtherSize(byteCount: Int, _ bytes: (_ position: Int, _ count: Int) -> [UInt8]) -> Bool {
        guard let system = bytes(3, 1).first, let kind = bytes(kindPosition, 1).first else { return true }
        let sequenceCount = system & 0x80 != 0 ? 12 : 10
        guard let channelCount = channelCounts[kind & 0x1F] else { return true }
        return byteCount != sequenceCount * channelCount * 150 * 80
    }

    /// The channels of a frame, by its kind: 25, 50 and 100 Mbit/s in 1080 and in 720 rows.
    private static let channelCounts: [UInt8: Int] = [0: 1, 4: 2, 0x14: 4, 0x18: 2]
}
