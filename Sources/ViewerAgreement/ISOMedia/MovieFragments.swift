// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The last fragment of each track of a fragmented MP4 file, by which a loss of the last frames is found.
///
/// Source: ISO/IEC 14496-12, sections 8.8.4 to 8.8.8.
package struct MovieFragments {
    /// The last fragment that announces frames of a track.
    private struct Last {
        /// The position of the fragment in the file, in bytes.
        let position: Int
        /// The number of bytes behind the fragment that belong neither to fragments nor to their data.
        var otherByteCount = 0
    }

    /// The last fragment of each track, by the number of the track.
    private var last: [UInt32: Last] = [:]
    /// Whether the file ends inside a box.
    private let isCut: Bool
    private let byteCount: Int

    /// - Parameter boxes: the boxes at the top level of the file.
    /// - Throws: `unreadable`.
    package init(
        among boxes: [MediaBoxes.Box], in file: InputFile, _ reader: inout MediaBoxes
    ) throws(DecodingFailure) {
        isCut = boxes.last.map { !$0.isWhole } ?? true
        byteCount = file.byteCount
        let first = boxes.filter { $0.name == "moof" }.suffix(Self.mostFragments).first?.position ?? 0
        for box in boxes.drop(while: { $0.position < first }) {
            switch box.name {
            case "mdat": break
            case "moof":
                for track in try Self.tracks(of: box, in: file, &reader) { last[track] = Last(position: box.position) }
            case "mfra" where try Self.isIndex(box, in: file): break
            default:
                for track in last.keys { last[track]?.otherByteCount += box.content.upperBound - box.position }
            }
        }
    }

    /// Whether reading ended before the last frames of a track; nil if the last fragments announce none.
    ///
    /// - Parameter position: the position of the furthest frame that was read, in bytes.
    package func endAfter(_ position: Int64, ofTrack number: UInt32) -> Bool? {
        last[number].map { last in
            isCut || position < last.position || last.otherByteCount > byteCount / Self.mostOtherBytes
        }
    }

    /// Whether a box is an index of fragments by its end, which repeats its size.
    ///
    /// In a short film, the index takes a large part of the file. Source: ISO/IEC 14496-12, section 8.8.11.
    private static func isIndex(_ box: MediaBoxes.Box, in file: InputFile) throws(DecodingFailure) -> Bool {
        let end = try file.bytes(at: box.content.upperBound - 16, count: 16)
        let size: UInt32? = end.bigEndian(at: 12)
        return box.isWhole && end.count == 16 && end.bigEndian(at: 0) == UInt32(16) && end.hasText("mfro", at: 4)
            && size.map(Int.init) == box.content.upperBound - box.position
    }

    /// Returns the numbers of the tracks of which a fragment announces frames.
    private static func tracks(
        of fragment: MediaBoxes.Box, in file: InputFile, _ reader: inout MediaBoxes
    ) throws(DecodingFailure) -> Set<UInt32> {
        var tracks: Set<UInt32> = []
        for part in try reader.boxes(in: fragment.content) where part.name == "traf" {
            var number: UInt32?
            var hasFrames = false
            for box in try reader.boxes(in: part.content) where box.name == "tfhd" || box.name == "trun" {
                // Four bytes of version and flags come first.
                let bytes = try file.bytes(at: box.content.lowerBound, count: min(8, box.content.count))
                let value = bytes.bigEndian(at: 4, as: UInt32.self)
                if box.name == "tfhd" { number = value } else { hasFrames = hasFrames || (value ?? 0) > 0 }
            }
            if hasFrames, let number { tracks.insert(number) }
        }
        return tracks
    }

    /// The number of last fragments that are read; sound may have its own fragments, and may outlast the pictures.
    private static let mostFragments = 64
    /// The divisor of the file size that bounds `otherByteCount`; an index behind the last fragment is smaller.
    private static let mostOtherBytes = 32
}
