// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import MediaInspection

/// Where the last frames of each track of a fragmented MP4 file are announced.
///
/// Source: ISO/IEC 14496-12, sections 8.8.4 to 8.8.8.
struct MovieFragments {
    /// The last fragment that announces frames of a track.
    private struct Last {
        /// Where it begins in the file, in bytes.
        let position: Int
        /// The number of bytes behind it that are neither fragments nor their data.
        var otherByteCount = 0
    }

    /// By the number of the track.
    private var last: [UInt32: Last] = [:]
    /// Whether the file ends in the middle of a box.
    private let isCut: Bool
    private let byteCount: Int

    /// - Parameter boxes: the boxes of the file that are in no other box.
    /// - Throws: `unreadable`.
    init(
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
            default:
                for track in last.keys { last[track]?.otherByteCount += box.content.upperBound - box.position }
            }
        }
    }

    /// Whether a file has not been read up to the last frames of a track; nil where the last fragments announce none.
    ///
    /// - Parameter position: where the furthest frame begins that was read, in bytes.
    func endAfter(_ position: Int64, ofTrack number: UInt32) -> Bool? {
        last[number].map { last in
            isCut || position < last.position || last.otherByteCount > byteCount / Self.mostOtherBytes
        }
    }

    /// The numbers of the tracks of which a fragment announces frames.
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

    /// Sound has fragments of its own in some files, and may go on for longer than pictures.
    private static let mostFragments = 64
    /// The index behind the last fragment is smaller than this part of the file.
    private static let mostOtherBytes = 32
}
