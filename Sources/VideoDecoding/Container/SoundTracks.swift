// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import DecoderProtocol
internal import DecoderService

/// Finds the tracks of sound in an MP4 or QuickTime file, so that FFmpeg can be kept from them.
///
/// FFmpeg holds an index of every packet of every track: for five hours of video, that of the sound takes more memory than
/// everything else. What is not plainly a track of sound is left alone, and so are files in fragments, which have small
/// indices.
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

    /// Whether a track says once, and nowhere otherwise, that it is sound.
    private mutating func isSound(_ track: MediaBoxes.Box) throws(DecodingFailure) -> Bool {
        let media = try boxes(in: track.content).filter { $0.name == "mdia" }
        guard media.count == 1 else { return false }
        let parts = try boxes(in: media[0].content)
        let handlers = parts.filter { $0.name == "hdlr" }
        let information = parts.filter { $0.name == "minf" }
        guard handlers.count == 1, information.count == 1 else { return false }
        let handler = try file.bytes(at: handlers[0].content.lowerBound, count: min(12, handlers[0].content.count))
        let headers = try boxes(in: information[0].content).map(\.name)
        return handler.hasText("soun", at: 8) && headers.contains("smhd") && !headers.contains("vmhd")
    }

    private mutating func boxes(in range: Range<Int>) throws(DecodingFailure) -> [MediaBoxes.Box] {
        try reader.boxes(in: range).filter(\.isWhole)
    }

    private static let mostTracks = 64
}
