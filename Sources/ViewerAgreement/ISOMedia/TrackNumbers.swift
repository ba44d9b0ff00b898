// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The numbers by which other boxes refer to the tracks of a movie.
///
/// Source: ISO/IEC 14496-12, sections 8.3.2 and 8.8.3.
enum TrackNumbers {
    /// Whether each track has a number of its own, and at most one box of defaults for its fragments.
    ///
    /// - Parameter parts: the boxes of a movie.
    /// - Throws: `unreadable`.
    static func areUnique(
        among parts: [MediaBoxes.Box], in file: InputFile, _ reader: inout MediaBoxes
    ) throws(DecodingFailure) -> Bool {
        var (tracks, defaults): (Set<UInt32>, Set<UInt32>) = ([], [])
        for part in parts where part.name == "trak" || part.name == "mvex" {
            for box in try reader.boxes(in: part.content) where box.name == "tkhd" || box.name == "trex" {
                let bytes = try file.bytes(at: box.content.lowerBound, count: min(24, box.content.count))
                if box.name == "trex" {
                    guard let number: UInt32 = bytes.bigEndian(at: 4), defaults.insert(number).inserted else {
                        return false
                    }
                } else {
                    guard let number = number(inHeader: bytes), tracks.insert(number).inserted else {
                        return false
                    }
                }
            }
        }
        return true
    }

    /// Returns the number in the first bytes of the header of a track; nil if the header is too short.
    static func number(inHeader bytes: [UInt8]) -> UInt32? {
        // Version 1 has times of eight bytes.
        bytes.bigEndian(at: bytes.first == 1 ? 20 : 12)
    }
}
