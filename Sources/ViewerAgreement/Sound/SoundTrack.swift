// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// Finds the sound tracks of an MP4 or QuickTime file that can be hidden from FFmpeg to save memory.
///
/// FFmpeg keeps an index of every packet of every track. For five hours of video, the index of the sound takes more
/// memory than everything else. A track is hidden only if every field that could name pictures names sound. These
/// fields are all handlers at any place, the header of the media information, and the sample descriptions.
///
/// Source: ISO/IEC 14496-12, sections 8.2 to 8.4 and 8.8.
struct SoundTrack {
    private let file: InputFile

    /// Whether every field of a track that could name pictures names sound.
    ///
    /// FFmpeg obeys the last handler at any depth, so there must be only one. A track may also contain other tracks or
    /// covers. So it must contain nothing that FFmpeg would read as something other than sound.
    static func isSound(
        _ track: MediaBoxes.Box, in file: InputFile, _ reader: inout MediaBoxes
    ) throws(DecodingFailure) -> Bool {
        try SoundTrack(file: file).isSound(track, &reader)
    }

    private func isSound(_ track: MediaBoxes.Box, _ reader: inout MediaBoxes) throws(DecodingFailure) -> Bool {
        guard let track = try reader.parts(of: track, each: ["mdia"]),
            let media = try reader.parts(of: track.only("mdia"), each: ["hdlr", "minf"]),
            let information = try reader.parts(of: media.only("minf"), each: ["smhd", "stbl"]),
            let table = try reader.parts(of: information.only("stbl"), each: ["stsd"]),
            try isSound(handler: media.only("hdlr")), try isSound(descriptions: table.only("stsd"), &reader),
            // FFmpeg reads descriptions by the handler before them.
            media.only("hdlr").position < media.only("minf").position
        else { return false }
        let rest =
            track.besides("mdia") + media.besides("hdlr", "minf") + information.besides("stbl") + table.besides("stsd")
        for box in rest where !Self.tables.contains(box.name) {
            if box.name == "hdlr", try isDataHandler(box) { continue }
            guard try isPlain(box.position..<box.content.upperBound) else { return false }
        }
        return true
    }

    private func isSound(handler: MediaBoxes.Box) throws(DecodingFailure) -> Bool {
        let bytes = try file.bytes(at: handler.content.lowerBound, count: min(12, handler.content.count))
        guard bytes.hasText("soun", at: 8) else { return false }
        // A readable name follows.
        return try isPlain((handler.content.lowerBound + 12)..<handler.content.upperBound)
    }

    /// Whether a handler only names the place of the data, as in the `minf` of QuickTime files.
    ///
    /// FFmpeg ignores handlers of these two kinds. Source: QuickTime File Format, "Handler reference".
    private func isDataHandler(_ handler: MediaBoxes.Box) throws(DecodingFailure) -> Bool {
        let bytes = try file.bytes(at: handler.content.lowerBound, count: min(12, handler.content.count))
        guard bytes.hasText("dhlr", at: 4), bytes.hasText("url ", at: 8) || bytes.hasText("alis", at: 8) else {
            return false
        }
        return try isPlain((handler.content.lowerBound + 12)..<handler.content.upperBound)
    }

    /// Whether a track has descriptions of sound only, at least one, and as many as it declares.
    private func isSound(
        descriptions: MediaBoxes.Box, _ reader: inout MediaBoxes
    ) throws(DecodingFailure) -> Bool {
        // The descriptions follow the version, the flags and the count.
        let (start, end) = (descriptions.content.lowerBound + 8, descriptions.content.upperBound)
        guard start < end else { return false }
        let header = try file.bytes(at: start - 8, count: 8)
        let boxes = try reader.boxes(in: start..<end)
        guard boxes.last?.isWhole == true, !reader.isExhausted,
            Int(header.bigEndian(at: 4, as: UInt32.self) ?? 0) == boxes.count,
            // FFmpeg would read the end of a shorter description from the next description.
            boxes.allSatisfy({ $0.content.count >= Self.shortestDescription })
        else { return false }
        for box in boxes where !Self.formats.contains(box.name) {
            guard box.name == Self.uncompressed, try isUncompressedSound(box) else { return false }
        }
        return try isPlain(start..<end)
    }

    /// Whether a description of uncompressed samples has levels of 8 bits, and no pixels if it is read as pictures.
    ///
    /// The fraction of the rate is the height of a picture. Source: QuickTime File Format, "Sound sample description"
    /// and "Video sample description".
    private func isUncompressedSound(_ description: MediaBoxes.Box) throws(DecodingFailure) -> Bool {
        let fields = try file.bytes(at: description.content.lowerBound + 16, count: 12)
        guard fields.count == 12, fields[0] == 0, (1...2).contains(fields[1]) else { return false }
        let hasRate = fields[8] != 0 || fields[9] != 0
        return fields[2...3].elementsEqual([0, 8]) && hasRate && fields[10...11].allSatisfy { $0 == 0 }
    }

    /// Whether bytes of the file contain no box name that could make FFmpeg read something other than sound.
    ///
    /// The positions of boxes in these bytes depend on versions and brands, so the names are searched at every byte.
    private func isPlain(_ range: Range<Int>) throws(DecodingFailure) -> Bool {
        guard range.count <= Self.mostPlainBytes else { return false }
        let bytes = try file.bytes(at: range.lowerBound, count: range.count)
        return bytes.count == range.count && !bytes.hasWord(in: Self.tellingNames)
    }

    /// The most bytes that are searched; descriptions of sound have some hundred bytes.
    private static let mostPlainBytes = 64 << 10
    /// The least size of a description of sound behind its header, in bytes.
    ///
    /// Source: ISO/IEC 14496-12, section 12.2.3.
    private static let shortestDescription = 28

    /// The boxes that hold only tables of numbers, in which no program looks for other boxes.
    private static let tables: Set<String> = [
        "stts", "ctts", "stsc", "stsz", "stz2", "stco", "co64", "stss", "sdtp", "sbgp", "sgpd",
    ]

    /// The format of uncompressed sound of cameras, which also names pictures.
    private static let uncompressed = "raw "
    /// The formats of sample descriptions that name only sound.
    ///
    /// Source: the registry of MP4 codecs, https://mp4ra.org/registered-types.
    static let formats: Set<String> = [
        "mp4a", ".mp3", "ac-3", "ec-3", "ac-4", "alac", "fLaC", "Opus", "samr", "sawb", "sowt", "twos", "lpcm", "ipcm",
        "fpcm", "in24", "in32", "fl32", "fl64", "ulaw", "alaw", "ima4", "dtsc", "dtsh", "dtsl", "mlpa", "mha1", "mhm1",
        "sevc", "spex", "QDM2",
    ]

    /// The boxes that name or begin a track, add a picture, or refer to other tracks.
    private static let tellingNames: Set<String> = [
        "hdlr", "vmhd", "gmhd", "nmhd", "sthd", "trak", "mdia", "minf", "stbl", "stsd", "moov", "hoov", "mvhd", "cmov",
        "mvex", "trex", "moof", "traf", "tfhd", "trun", "sidx", "mfra", "mdat", "meta", "keys", "ilst", "covr", "uuid",
        "iloc", "iinf", "infe", "iprp", "pitm",
    ]
}
