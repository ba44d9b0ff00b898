// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// A container format that is read, named after its FFmpeg demuxer; no other demuxer is ever tried.
package enum Demuxer: String {
    /// MP4, QuickTime, and the image sequences of HEIF and AVIF.
    case mov
    /// Matroska and WebM.
    case matroska
    case avi
    /// MPEG transport streams.
    case mpegts
    /// MPEG program streams: MPG and VOB files.
    case mpeg
    /// WMV and WMA.
    case asf
    /// Frames of DV alone.
    case dv
    case flv
    case ogg
    /// Animated PNG.
    case apng
    case wav
    /// MPEG audio behind an ID3v2 tag, which may hold a cover.
    case mp3
    case flac
    /// A JPEG thumbnail in another file; never chosen for a file.
    case jpeg = "jpeg_pipe"

    /// Chooses the demuxer by the first bytes of the file, as `FormatSniffer` does; nil for all other formats.
    package init?(format: MediaFormat, prefix: [UInt8]) {
        switch format {
        case .png: self = .apng
        case .heic, .avif: self = .mov
        case .video:
            if prefix.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
                self = .matroska
            } else if prefix.hasText("RIFF", at: 0), prefix.hasText("AVI ", at: 8) {
                self = .avi
            } else if prefix.hasText("RIFF", at: 0), prefix.hasText("WAVE", at: 8) {
                self = .wav
            } else if prefix.hasText("ID3", at: 0) {
                self = .mp3
            } else if prefix.hasText("fLaC", at: 0) {
                self = .flac
            } else if prefix.hasText("OggS", at: 0) {
                self = .ogg
            } else if prefix.hasText("FLV", at: 0) {
                self = .flv
            } else if prefix.starts(with: [0, 0, 1, 0xBA]) {
                self = .mpeg
            } else if prefix.starts(with: [0x30, 0x26, 0xB2, 0x75]) {
                self = .asf
            } else if prefix.starts(with: DVFrames.signature) {
                self = .dv
            } else if FormatSniffer.isTransportStream(prefix) {
                self = .mpegts
            } else if FormatSniffer.isQuickTime(prefix) {
                self = .mov
            } else if FormatSniffer.beginsInPacket(prefix) {
                self = .mpegts
            } else {
                return nil
            }
        default: return nil
        }
    }
}
