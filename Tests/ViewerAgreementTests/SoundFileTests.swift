// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import TestSupport
import Testing

@testable import ViewerAgreement

@Suite("Tags and pages of sound files")
struct SoundFileTests {
    private static func file(_ bytes: [UInt8]) throws -> InputFile {
        try InputFile(SealedMemory.copying(bytes).descriptor)
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func id3Frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
    }

    /// An MP3 file with a title, a cover, four frames of 128 kbit/s and an ID3v1 tag.
    private static let mp3: [UInt8] = {
        let picture = id3Frame("APIC", [0] + Array("image/png\0".utf8) + [3, 0, 0x89, 0x50, 0x4E, 0x47])
        let tag = id3Frame("TIT2", [0] + Array("Title".utf8)) + picture + zeros(20)
        let frame = [0xFF, 0xFB, 0x90, 0] + zeros(413)
        let sound = [frame, frame, frame, frame].joined()
        return Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(tag.count)] + tag + sound + Array("TAG".utf8) + zeros(125)
    }()

    private static func flacBlock(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
        [kind, 0, 0, UInt8(content.count)] + content
    }

    private static let flac: [UInt8] =
        Array("fLaC".utf8) + flacBlock(0, zeros(34)) + flacBlock(4, Array("TITLE=a".utf8)) + flacBlock(6, zeros(40))
        + flacBlock(0x81, zeros(16)) + [0xFF, 0xF8] + zeros(60)

    private static func oggPage(_ content: [UInt8], isFirst: Bool) -> [UInt8] {
        let header = Array("OggS".utf8) + [0, isFirst ? 2 : 0] + zeros(8) + [1, 0, 0, 0] + zeros(8)
        return header + [1, UInt8(content.count)] + content
    }

    private static let ogg: [UInt8] =
        oggPage(Array("OpusHead".utf8) + zeros(11), isFirst: true)
        + oggPage(Array("OpusTags metadata_block_picture=AAAA".utf8), isFirst: false)
        + oggPage(zeros(200), isFirst: false)

    private static let wave: [UInt8] =
        Array("RIFF\0\0\0\0WAVEfmt ".utf8) + [16, 0, 0, 0] + zeros(16) + Array("LIST".utf8) + [4, 0, 0, 0] + zeros(4)
        + Array("data".utf8) + [40, 0, 0, 0] + zeros(40)

    private static let matroska: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3] + zeros(300) + [0x19, 0x41, 0xA4, 0x69, 0x80]

    @Test("Covers are counted, and frames, pages and chunks of sound are recognised")
    func undamaged() throws {
        let tag = try #require(try SoundTags.id3Pictures(in: Self.file(Self.mp3)))
        #expect(tag.count == 1)
        #expect(try SoundTags.areAudioFrames(Self.file(Self.mp3), from: tag.length))
        #expect(try !SoundTags.areAudioFrames(Self.file(Self.mp3 + [1, 2, 3, 4]), from: tag.length))
        #expect(try SoundTags.flacPictures(in: Self.file(Self.flac)) == 1)
        #expect(try OggPages.holdSoundOnly(Self.file(Self.ogg)) && OggPages.pictureCount(in: Self.file(Self.ogg)) == 1)
        #expect(try !OggPages.holdSoundOnly(Self.file(Self.ogg + [0])))
        #expect(try SoundFile.hasWaveChunksOnly(Self.file(Self.wave)))
        #expect(try SoundFile.hasAttachments(Self.file(Self.matroska)))
    }

    @Test(
        "A file without sound is no file of frames, pages or chunks", arguments: [[0], [0xFF], [0xFF, 0xFB, 0x90, 0]])
    func short(bytes: [UInt8]) throws {
        let file = try Self.file(bytes)
        #expect(try SoundTags.id3Pictures(in: file) == nil && SoundTags.flacPictures(in: file) == nil)
        #expect(try !SoundTags.areAudioFrames(file, from: 0))
    }

    @Test("Damaged files are read to an end", arguments: [mp3, flac, ogg, wave, matroska])
    func damaged(original: [UInt8]) throws {
        for seed in 0..<(Campaign.isRunning ? 100_000 : 1000) {
            let file = try Self.file(
                Damage.damaged(original, seed: UInt64(seed), changes: 1...6, longest: 60, fewest: 4))
            let tag = try SoundTags.id3Pictures(in: file)
            #expect(tag.map { $0.length <= file.byteCount } ?? true)
            _ = try SoundTags.areAudioFrames(file, from: tag?.length ?? 0)
            _ = try SoundTags.flacPictures(in: file)
            _ = try OggPages.areNested(in: file)
            _ = try OggPages.holdSoundOnly(file)
            _ = try OggPages.pictureCount(in: file)
            _ = try SoundFile.hasWaveChunksOnly(file)
            _ = try SoundFile.hasAttachments(file)
        }
    }
}
