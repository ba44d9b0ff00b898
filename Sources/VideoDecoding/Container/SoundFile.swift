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
        return switch demuxer {
        case .matroska, .flac: true
        case .mp3: try !hasTagAtEnd(file)
        case .ogg: try OggPages.beginSoundOnly(in: file)
        case .wav: try hasWaveChunksOnly(file)
        case .mov, .avi, .mpegts, .flv, .apng: false
        }
    }

    /// Whether a file ends with a tag that FFmpeg does not read and that may hold a cover.
    ///
    /// Source: https://wiki.hydrogenaud.io/index.php?title=APEv2_specification; ID3v2.4, section 3.4.
    private static func hasTagAtEnd(_ file: InputFile) throws(DecodingFailure) -> Bool {
        let end = try file.bytes(at: max(0, file.byteCount - 512), count: 512)
        return end.indices.contains { place in
            end[place] == 0x41 && end.hasText("APETAGEX", at: place)
                || end[place] == 0x33 && end.hasText("3DI", at: place)
        }
    }

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
