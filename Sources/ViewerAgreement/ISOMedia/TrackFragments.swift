// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The rules by which all programs find the same samples of a fragmented MP4 file.
///
/// Programs differ in the place of samples that a fragment does not give: relative to the fragment, or behind the
/// samples before.
///
/// Source: ISO/IEC 14496-12, sections 8.8.7 and 8.8.8.
enum TrackFragments {
    /// Whether the fragments of tracks in a fragment of the movie give the places of all their samples.
    ///
    /// - Throws: `unreadable`.
    static func arePlaced(
        in fragment: MediaBoxes.Box, of file: InputFile, _ reader: inout MediaBoxes
    ) throws(DecodingFailure) -> Bool {
        var isFirst = true
        for part in try reader.boxes(in: fragment.content) where part.name == "traf" {
            let boxes = try reader.boxes(in: part.content)
            let runs = boxes.filter { $0.name == "trun" }
            guard let header = boxes.first(where: { $0.name == "tfhd" }) else { return runs.isEmpty }
            let flags = try flags(of: header, in: file)
            let (hasBase, beginsAtFragment) = (flags & 0x1 != 0, flags & 0x2_0000 != 0)
            guard runs.allSatisfy({ $0.position > header.position }), !(hasBase && beginsAtFragment),
                runs.isEmpty || isFirst || hasBase || beginsAtFragment
            else { return false }
            for run in runs.dropFirst() {
                guard try Self.flags(of: run, in: file) & 0x1 != 0 else { return false }
            }
            isFirst = false
        }
        return true
    }

    private static func flags(of box: MediaBoxes.Box, in file: InputFile) throws(DecodingFailure) -> UInt32 {
        try file.bytes(at: box.content.lowerBound, count: min(4, box.content.count)).bigEndian(at: 0) ?? 0
    }
}
