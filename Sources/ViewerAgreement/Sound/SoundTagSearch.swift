// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// Looks for tags that may hold covers, near the start and the end of a file with sound.
package enum SoundTagSearch {
    /// Returns whether the file has an ID3v2 or APE tag near its start or its end, wherever exactly.
    ///
    /// Source: ID3v2.4, section 3.1; APEv2 specification.
    ///
    /// - Parameter start: the position from which tags are looked for.
    /// - Throws: `unreadable`.
    package static func finds(in file: InputFile, from start: Int = 0) throws(DecodingFailure) -> Bool {
        let end = max(start, file.byteCount - reach)
        if hasTag(try file.bytes(at: start, count: reach)) { return true }
        return end > start ? hasTag(try file.bytes(at: end, count: reach)) : false
    }

    private static func hasTag(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { place in
            switch bytes[place] {
            case 0x41: bytes.hasText("APETAGEX", at: place) && hasNumbers(bytes, at: place + 8)
            case 0x49: bytes.hasText("ID3", at: place) && isHeader(bytes, at: place)
            // The footer of an ID3v2.4 tag.
            case 0x33: bytes.hasText("3DI", at: place) && isHeader(bytes, at: place)
            default: false
            }
        }
    }

    /// Returns whether the numbers of an APE tag may follow; programs ignore what they are, and a text has no zeros.
    private static func hasNumbers(_ bytes: [UInt8], at place: Int) -> Bool {
        let numbers = bytes.dropFirst(place).prefix(24)
        return numbers.count < 24 || numbers.contains(0)
    }

    /// Returns whether a version and a size follow the name of a tag.
    private static func isHeader(_ bytes: [UInt8], at place: Int) -> Bool {
        guard place + 10 <= bytes.count, (2...4).contains(bytes[place + 3]) else { return false }
        return bytes[(place + 6)..<(place + 10)].allSatisfy { $0 < 0x80 }
    }

    private static let reach = 128 << 10
}
