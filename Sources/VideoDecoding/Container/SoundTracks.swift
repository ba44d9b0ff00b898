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
/// Source: ISO/IEC 14496-12, sections 4.2, 8.2 to 8.4 and 8.8.
struct SoundTracks {
    /// Where the names of their boxes lie in the file, in bytes.
    private(set) var namePositions: [Int64] = []
    private let file: InputFile
    /// Boxes that may still be looked at, whatever the file says.
    private var budget = 20_000

    private struct Box {
        let name: String
        let position: Int
        let content: Range<Int>
    }

    /// - Throws: `unreadable`.
    init(_ file: InputFile) throws(DecodingFailure) {
        self.file = file
        guard let movie = try boxes(in: 0..<file.byteCount, upTo: "moov").last, movie.name == "moov" else { return }
        let parts = try boxes(in: movie.content)
        guard !parts.contains(where: { $0.name == "mvex" }) else { return }
        for track in parts where track.name == "trak" {
            if try isSound(track) { namePositions.append(Int64(track.position + 4)) }
        }
        // FFmpeg refuses files of more tracks than this.
        if namePositions.count > Self.mostTracks { namePositions = [] }
    }

    /// Whether a track says once, and nowhere otherwise, that it is sound.
    private mutating func isSound(_ track: Box) throws(DecodingFailure) -> Bool {
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

    /// The boxes one behind the other in a part of the file; those before the first that is none.
    private mutating func boxes(
        in range: Range<Int>, upTo last: String? = nil
    ) throws(DecodingFailure) -> [Box] {
        var boxes: [Box] = []
        var position = range.lowerBound
        while range.upperBound - position >= 8, budget > 0 {
            budget -= 1
            let header = try file.bytes(at: position, count: 16)
            guard header.count >= 8 else { break }
            var (length, size) = (8, Self.number(header[0..<4]))
            if size == 1 {
                guard header.count == 16 else { break }
                (length, size) = (16, Self.number(header[8..<16]))
            }
            let rest = range.upperBound - position
            if size == 0 { size = UInt64(rest) }
            guard size >= length, size <= rest else { break }
            let end = position + Int(size)
            let name = String(decoding: header[4..<8], as: UTF8.self)
            boxes.append(Box(name: name, position: position, content: (position + length)..<end))
            if name == last { break }
            position = end
        }
        return boxes
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static let mostTracks = 64
}
