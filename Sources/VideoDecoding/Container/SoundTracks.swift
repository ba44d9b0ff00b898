// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

/// Finds the tracks of sound in an MP4 or QuickTime file, so that FFmpeg can be kept from them.
///
/// FFmpeg holds an index of every packet of every track: for five hours of video, that of the sound takes more memory than
/// everything else. A track is hidden only where every place that could name it a track of pictures says sound: all its
/// handlers, wherever they lie, the header of its media information, and its sample descriptions. Files in fragments have
/// small indices, and are left alone.
///
/// Source: ISO/IEC 14496-12, sections 8.2 to 8.4 and 8.8.
struct SoundTracks {
    /// Where the names of their boxes lie in the file, in bytes.
    private(set) var namePositions: [Int64] = []
    private let file: InputFile
    private var reader: MediaBoxes

    /// - Throws: `unreadable`.
    init(_ file: InputFile) throws(DecodingFailure) {
        self.file = file
        reader = MediaBoxes(file, maximumCount: 20_000)
        guard let movie = try reader.boxes(in: 0..<file.byteCount, upTo: { $0.name == "moov" }).last,
            movie.name == "moov", movie.isWhole
        else { return }
        let parts = try reader.boxes(in: movie.content).filter(\.isWhole)
        guard !parts.contains(where: { $0.name == "mvex" }) else { return }
        for track in parts where track.name == "trak" {
            if try isSound(track) { namePositions.append(Int64(track.position + 4)) }
        }
        // FFmpeg refuses files of more tracks than this.
        if namePositions.count > Self.mostTracks { namePositions = [] }
    }

    /// Whether everything in a track that could name it one of pictures says that it is sound.
    ///
    /// FFmpeg obeys the last handler at any depth, so there must be one only. A track may also have others in it, or
    /// covers; so there may be nothing in it of which FFmpeg would make something other than sound.
    private mutating func isSound(_ track: MediaBoxes.Box) throws(DecodingFailure) -> Bool {
        guard let track = try parts(of: track, each: ["mdia"]),
            let media = try parts(of: track.only("mdia"), each: ["hdlr", "minf"]),
            let information = try parts(of: media.only("minf"), each: ["smhd", "stbl"]),
            let table = try parts(of: information.only("stbl"), each: ["stsd"]),
            try isSound(handler: media.only("hdlr")), try isSound(descriptions: table.only("stsd"))
        else { return false }
        let rest =
            track.besides("mdia") + media.besides("hdlr", "minf") + information.besides("stbl") + table.besides("stsd")
        for box in rest where !Self.tables.contains(box.name) {
            if box.name == "hdlr", try isDataHandler(box) { continue }
            guard try isPlain(box.position..<box.content.upperBound) else { return false }
        }
        return true
    }

    // MARK: Boxes

    private struct Parts {
        let boxes: [MediaBoxes.Box]

        /// The box of a name that is there once.
        func only(_ name: String) -> MediaBoxes.Box { boxes.first { $0.name == name }! }
        func besides(_ names: String...) -> [MediaBoxes.Box] { boxes.filter { !names.contains($0.name) } }
    }

    /// The boxes in another; nil if one of those that are named is not there once, or if something is not whole.
    private mutating func parts(
        of box: MediaBoxes.Box, each names: [String]
    ) throws(DecodingFailure) -> Parts? {
        let boxes = try reader.boxes(in: box.content)
        guard let last = boxes.last, last.isWhole, !reader.isExhausted,
            box.content.upperBound - last.content.upperBound < Self.shortestBox
        else { return nil }
        for name in names {
            guard boxes.filter({ $0.name == name }).count == 1 else { return nil }
        }
        return Parts(boxes: boxes)
    }

    private func isSound(handler: MediaBoxes.Box) throws(DecodingFailure) -> Bool {
        let bytes = try file.bytes(at: handler.content.lowerBound, count: min(12, handler.content.count))
        guard bytes.hasText("soun", at: 8) else { return false }
        // Behind it stands a name for people.
        return try isPlain((handler.content.lowerBound + 12)..<handler.content.upperBound)
    }

    /// Whether a handler says where data lies, as in the `minf` of QuickTime files, and nothing of what it is.
    ///
    /// Source: QuickTime File Format, "Handler reference". FFmpeg makes nothing of these two.
    private func isDataHandler(_ handler: MediaBoxes.Box) throws(DecodingFailure) -> Bool {
        let bytes = try file.bytes(at: handler.content.lowerBound, count: min(12, handler.content.count))
        guard bytes.hasText("dhlr", at: 4), bytes.hasText("url ", at: 8) || bytes.hasText("alis", at: 8) else {
            return false
        }
        return try isPlain((handler.content.lowerBound + 12)..<handler.content.upperBound)
    }

    /// Whether a track has descriptions of sound only, and at least one.
    private mutating func isSound(descriptions: MediaBoxes.Box) throws(DecodingFailure) -> Bool {
        // Behind the version, the flags and the count.
        let (start, end) = (descriptions.content.lowerBound + 8, descriptions.content.upperBound)
        guard start < end else { return false }
        let boxes = try reader.boxes(in: start..<end)
        guard boxes.last?.isWhole == true, !reader.isExhausted,
            boxes.allSatisfy({ Self.formats.contains($0.name) })
        else { return false }
        return try isPlain(start..<end)
    }

    /// Whether a part of the file has no name of a box by which FFmpeg would make something other than sound of it.
    ///
    /// Where FFmpeg finds boxes in such parts depends on versions and brands; so the names are looked for at every
    /// byte.
    private func isPlain(_ range: Range<Int>) throws(DecodingFailure) -> Bool {
        guard range.count <= Self.mostPlainBytes else { return false }
        let bytes = try file.bytes(at: range.lowerBound, count: range.count)
        guard bytes.count == range.count else { return false }
        var word: UInt32 = 0
        for byte in bytes {
            word = word << 8 | UInt32(byte)
            if Self.tellingNames.contains(word) { return false }
        }
        return true
    }

    // MARK: Names

    private static let mostTracks = 64
    private static let shortestBox = 8
    /// Descriptions of sound have some hundred bytes.
    private static let mostPlainBytes = 64 << 10

    /// Tables of numbers, in which nobody looks for boxes.
    private static let tables: Set<String> = [
        "stts", "ctts", "stsc", "stsz", "stz2", "stco", "co64", "stss", "sdtp", "sbgp", "sgpd",
    ]

    /// Formats that are sound and nothing else; so without `raw `, which is both.
    ///
    /// Source: the registry of MP4 codecs, https://mp4ra.org/registered-types.
    private static let formats: Set<String> = [
        "mp4a", ".mp3", "ac-3", "ec-3", "ac-4", "alac", "fLaC", "Opus", "samr", "sawb", "sowt", "twos", "lpcm", "ipcm",
        "fpcm", "in24", "in32", "fl32", "fl64", "ulaw", "alaw", "ima4", "dtsc", "dtsh", "dtsl", "mlpa", "mha1", "mhm1",
        "sevc", "spex", "QDM2",
    ]

    /// Boxes that name a track, begin one, add a picture, or speak of other tracks.
    private static let tellingNames = Set(
        [
            "hdlr", "vmhd", "gmhd", "nmhd", "sthd", "trak", "mdia", "minf", "stbl", "stsd", "moov", "hoov", "mvhd",
            "cmov", "mvex", "trex", "moof", "traf", "tfhd", "trun", "sidx", "mfra", "mdat", "meta", "keys", "ilst",
            "covr", "uuid", "iloc", "iinf", "infe", "iprp", "pitm",
        ].map { $0.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } })
}
