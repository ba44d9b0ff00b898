// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import DecoderProtocol
internal import DecoderService

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
        let parts = try boxes(in: movie.content)
        guard !parts.contains(where: { $0.name == "mvex" }) else { return }
        for track in parts where track.name == "trak" {
            if try isSound(track) { namePositions.append(Int64(track.position + 4)) }
        }
        // FFmpeg refuses files of more tracks than this.
        if namePositions.count > Self.mostTracks { namePositions = [] }
    }

    /// Whether a track says that it is sound, and nowhere otherwise.
    private mutating func isSound(_ track: MediaBoxes.Box) throws(DecodingFailure) -> Bool {
        let media = try boxes(in: track.content).filter { $0.name == "mdia" }
        guard media.count == 1 else { return false }
        let parts = try boxes(in: media[0].content)
        let handlers = parts.filter { $0.name == "hdlr" }
        let information = parts.filter { $0.name == "minf" }
        guard handlers.count == 1, information.count == 1 else { return false }
        let handler = try file.bytes(at: handlers[0].content.lowerBound, count: min(12, handlers[0].content.count))
        let details = try boxes(in: information[0].content)
        let (headers, tables) = (details.map(\.name), details.filter { $0.name == "stbl" })
        guard handler.hasText("soun", at: 8), headers.contains("smhd"), !headers.contains("vmhd"), tables.count == 1
        else { return false }
        guard try holdsSound(tables[0]) else { return false }
        return try hasNoOtherHandler(track)
    }

    /// Whether a sample table describes formats of sound only, and at least one.
    private mutating func holdsSound(_ table: MediaBoxes.Box) throws(DecodingFailure) -> Bool {
        let descriptions = try boxes(in: table.content).filter { $0.name == "stsd" }
        // Behind the version and the count of the entries.
        guard descriptions.count == 1, descriptions[0].content.count > 8 else { return false }
        let content = descriptions[0].content
        let entries = try reader.boxes(in: (content.lowerBound + 8)..<content.upperBound)
        return !entries.isEmpty && entries.allSatisfy { $0.isWhole && Self.formats.contains($0.name) }
    }

    /// Whether a track has one handler of media.
    ///
    /// FFmpeg obeys a handler in any box that it enters, and the last one counts. So every place is looked at that has
    /// the letters, whatever box it lies in.
    private func hasNoOtherHandler(_ track: MediaBoxes.Box) throws(DecodingFailure) -> Bool {
        guard track.content.count <= Self.largestTrack else { return false }
        let bytes = try file.bytes(at: track.content.lowerBound, count: track.content.count)
        guard bytes.count == track.content.count else { return false }
        var count = 0
        for start in bytes.indices.dropLast(3)
        where bytes[start] == UInt8(ascii: "h") && bytes.hasText("hdlr", at: start) {
            // Behind the name, the version and the type of the component.
            let subtype = start + 12
            if bytes.hasText("soun", at: subtype) {
                count += 1
            } else if !Self.subtypesOfData.contains(where: { bytes.hasText($0, at: subtype) }) {
                return false
            }
        }
        return count == 1
    }

    private mutating func boxes(in range: Range<Int>) throws(DecodingFailure) -> [MediaBoxes.Box] {
        try reader.boxes(in: range).filter(\.isWhole)
    }

    private static let mostTracks = 64
    /// In bytes: the index of a day of sound takes less.
    private static let largestTrack = 64 << 20

    /// Handlers that say where data lies, or that metadata follows.
    ///
    /// Source: QuickTime File Format, "Handler reference".
    private static let subtypesOfData: [StaticString] = ["url ", "alis", "mdir", "mdta"]

    /// Formats that are sound and nothing else.
    ///
    /// Source: the registry of MP4 codecs, https://mp4ra.org/registered-types.
    private static let formats: Set<String> = [
        "mp4a", ".mp3", "ac-3", "ec-3", "ac-4", "alac", "fLaC", "Opus", "samr", "sawb", "sowt", "twos", "raw ", "lpcm",
        "in24", "in32", "fl32", "fl64", "ulaw", "alaw", "ima4", "dtsc", "dtsh", "dtsl", "mlpa", "sevc", "spex", "QDM2",
    ]
}
