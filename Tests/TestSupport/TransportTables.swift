// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Changes tables of transport streams in ways that no program would.
///
/// Source: ISO/IEC 13818-1, section 2.4.4 and annex A.
package enum TransportTables {
    /// Changes the kind of a stream in each program map table of a file with packets of 188 bytes.
    package static func setKind(of identifier: Int, to kind: UInt8, in file: inout Data) throws {
        var changed = 0
        for start in stride(from: 0, to: file.count - 187, by: 188) {
            // ffmpeg puts each table into its own packet, behind five bytes.
            let section = start + 5
            guard file[start + 1] & 0x40 != 0, file[start + 4] == 0, file[section] == 2 else { continue }
            let end = section + 3 + (Int(file[section + 1] & 0xF) << 8 | Int(file[section + 2]))
            guard end <= start + 188 else { continue }
            for place in (section + 12)..<(end - 6)
            where Int(file[place + 1] & 0x1F) << 8 | Int(file[place + 2]) == identifier
                && file[place + 1] & 0xE0 == 0xE0
            {
                file[place] = kind
                changed += 1
                break
            }
            let sum = checksum(of: file[section..<(end - 4)])
            for place in 0..<4 { file[end - 4 + place] = UInt8(sum >> (24 - place * 8) & 255) }
        }
        guard changed > 0 else { throw MP4Boxes.Missing(name: "PMT") }
    }

    package static func checksum(of bytes: Data) -> UInt32 {
        bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
            }
        }
    }
}
