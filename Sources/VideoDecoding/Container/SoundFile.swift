// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import MediaInspection

/// Decides whether a file has sound and nothing that a program could show as pictures.
///
/// Such a file in a folder is skipped and not reported as unknown, so every doubt counts against it.
enum SoundFile {
    /// Whether an opened file without a stream of pictures has sound only.
    ///
    /// Streams of the other containers can appear in the middle of the file, so no file of these is certain.
    ///
    /// - Throws: `unreadable`.
    static func isCertain(
        _ file: InputFile, _ demuxer: Demuxer, _ structure: ContainerStructure, _ container: MediaContainer
    ) throws(DecodingFailure) -> Bool {
        guard container.doubt == nil, container.hasSoundStreamsOnly else { return false }
        // The sound tracks of MP4 files may be hidden from FFmpeg.
        if demuxer == .mov { return structure.hasSoundTracksOnly }
        guard container.hasStreams else { return false }
        switch demuxer {
        case .flac: return true
        case .matroska: return try !hasAttachments(file)
        case .mp3:
            guard let tag = try SoundTags.id3Pictures(in: file) else { return false }
            return try SoundTags.areAudioFrames(file, from: tag.length)
        case .ogg: return try OggPages.holdSoundOnly(file)
        case .wav: return try hasWaveChunksOnly(file)
        case .mov, .avi, .mpegts, .flv, .apng: return false
        }
    }

    /// Whether a file has covers that FFmpeg has not reported, or tags that could hold some.
    ///
    /// - Throws: `unreadable`.
    static func hasUnreportedCovers(
        _ file: InputFile, _ demuxer: Demuxer, _ structure: ContainerStructure, _ container: MediaContainer
    ) throws(DecodingFailure) -> Bool {
        let count: Int?
        switch demuxer {
        case .mp3: count = try SoundTags.id3Pictures(in: file)?.count
        case .flac: count = try SoundTags.flacPictures(in: file)
        case .mov: count = structure.coverCount
        case .ogg: count = try OggPages.pictureCount(in: file)
        case .matroska, .wav, .avi, .mpegts, .flv, .apng: return false
        }
        return count != container.coverCount
    }

    /// Whether a Matroska file has the element of attachments anywhere, for example behind the sound.
    ///
    /// Source: RFC 9559, section 5.1.6.
    private static func hasAttachments(_ file: InputFile) throws(DecodingFailure) -> Bool {
        var position = 0
        while position < file.byteCount {
            let bytes = try file.bytes(at: position, count: pieceSize + 3)
            guard !bytes.isEmpty else { break }
            if bytes.indices.dropLast(3).contains(where: {
                bytes[$0] == 0x19 && bytes[$0 + 1] == 0x41 && bytes[$0 + 2] == 0xA4 && bytes[$0 + 3] == 0x69
            }) {
                return true
            }
            position += pieceSize
        }
        return false
    }

    private static let pieceSize = 256 << 10

    /// Whether a WAV file consists of chunks that hold sound or facts about it.
    ///
    /// Source: Multimedia Programming Interface and Data Specifications 1.0, chapter 3.
    private static func hasWaveChunksOnly(_ file: InputFile) throws(DecodingFailure) -> Bool {
        var position = 12
        for _ in 0..<mostChunks {
            let header = try file.bytes(at: position, count: 8)
            if header.isEmpty { return true }
            guard let size: UInt32 = header.littleEndian(at: 4),
                waveChunks.contains(String(decoding: header.prefix(4), as: UTF8.self))
            else { return false }
            // A recording that was cut off ends within its data.
            position += 8 + Int(size) + Int(size & 1)
            if position >= file.byteCount { return true }
        }
        return false
    }

    private static let waveChunks: Set<String> = [
        "fmt ", "data", "fact", "LIST", "PEAK", "cue ", "smpl", "inst", "bext", "JUNK", "PAD ", "FLLR",
    ]
    private static let mostChunks = 64
}
