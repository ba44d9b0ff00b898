// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// An opened file that may have sound and nothing that a program could show as pictures.
///
/// Such a file in a folder is skipped and not reported as unknown, so every disagreement counts against it.
package struct SoundFile {
    private let file: InputFile
    private let demuxer: Demuxer
    private let structure: ContainerStructure
    private let streams: ReportedStreams
    /// The tag of an MP3 file; nil if it could hold pictures in a way that is not read here.
    private let tag: (count: Int, length: Int)?

    /// The streams that FFmpeg reports for a file.
    package struct ReportedStreams {
        let hasAny: Bool
        /// Whether every stream has sound of a known codec; true if there is no stream.
        let areSoundOnly: Bool
        /// The number of pictures that belong to the file, such as covers.
        let coverCount: Int
        let haveDisagreement: Bool

        package init(hasAny: Bool, areSoundOnly: Bool, coverCount: Int, haveDisagreement: Bool) {
            self.hasAny = hasAny
            self.areSoundOnly = areSoundOnly
            self.coverCount = coverCount
            self.haveDisagreement = haveDisagreement
        }
    }

    /// - Throws: `unreadable`.
    package init(
        _ file: InputFile, _ demuxer: Demuxer, _ structure: ContainerStructure, _ streams: ReportedStreams
    ) throws(DecodingFailure) {
        (self.file, self.demuxer, self.structure, self.streams) = (file, demuxer, structure, streams)
        tag = demuxer == .mp3 ? try SoundTags.id3Pictures(in: file) : nil
    }

    /// Whether a file without a stream of pictures has sound only.
    ///
    /// Streams of the other containers can appear in the middle of the file, so no file of these is certain.
    ///
    /// - Throws: `unreadable`.
    package func isCertain() throws(DecodingFailure) -> Bool {
        // Players find tags in sound, behind it and in unknown parts.
        guard !streams.haveDisagreement, streams.areSoundOnly,
            try !SoundTagSearch.finds(in: file, from: tag?.length ?? 0)
        else { return false }
        // The sound tracks of MP4 files may be hidden from FFmpeg.
        if demuxer == .mov { return structure.hasSoundTracksOnly }
        guard streams.hasAny else { return false }
        switch demuxer {
        case .flac: return true
        case .asf: return structure.hasSoundTracksOnly
        case .matroska: return try !Self.hasAttachments(file)
        case .mp3:
            guard let tag else { return false }
            return try SoundTags.areAudioFrames(file, from: tag.length)
        case .ogg: return try OggPages.holdSoundOnly(file)
        case .wav: return try Self.hasWaveChunksOnly(file)
        case .mov, .avi, .mpeg, .mpegts, .flv, .dv, .apng, .jpeg: return false
        }
    }

    /// Whether a file has covers that FFmpeg has not reported, or tags that could hold some.
    ///
    /// - Throws: `unreadable`.
    package func hasUnreportedCovers() throws(DecodingFailure) -> Bool {
        let count: Int?
        switch demuxer {
        case .mp3: count = tag?.count
        case .flac: count = try SoundTags.flacPictures(in: file)
        case .mov, .asf: count = structure.coverCount
        case .ogg: count = try OggPages.pictureCount(in: file)
        case .matroska, .wav, .avi, .mpeg, .mpegts, .flv, .dv, .apng, .jpeg: return false
        }
        return count != streams.coverCount
    }

    /// Whether a Matroska file has the element of attachments anywhere, for example behind the sound.
    ///
    /// Source: RFC 9559, section 5.1.6.
    static func hasAttachments(_ file: InputFile) throws(DecodingFailure) -> Bool {
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
    static func hasWaveChunksOnly(_ file: InputFile) throws(DecodingFailure) -> Bool {
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
