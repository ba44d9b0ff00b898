// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import HelperProtocol
internal import HelperService

/// What is read of a container before FFmpeg opens it.
struct ContainerStructure {
    /// Where the names of the boxes of sound tracks lie in an MP4 file, in bytes.
    var soundTracks: [Int64] = []
    /// Why programs may show other pictures than FFmpeg decodes; nil where nothing speaks for that.
    var doubt: TrackEnd.Reason?

    /// - Parameter isMovie: whether an MP4 file has to have a movie; pictures need not.
    /// - Throws: `unreadable`, `tooManyParts`.
    init(_ file: InputFile, _ demuxer: Demuxer, isMovie: Bool) throws(DecodingFailure) {
        switch demuxer {
        case .mov:
            let movie = try MovieStructure(file, isMovie: isMovie)
            (soundTracks, doubt) = (movie.soundTracks, movie.doubt)
        case .matroska: doubt = try MatroskaStructure(file).isJoined ? .contradiction : nil
        case .apng: doubt = try PNGColors(file).areDoubtful ? .doubtfulColors : nil
        case .avi, .mpegts, .flv, .ogg: break
        }
    }
}
