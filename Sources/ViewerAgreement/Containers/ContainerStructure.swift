// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The facts about a container that are read before FFmpeg opens it.
package struct ContainerStructure {
    /// The bytes that FFmpeg reads instead of bytes of the file.
    ///
    /// They hide sound tracks and a brand that leaves out the movie (MP4), or keep pictures (APNG).
    package private(set) var patches: [FilePatch] = []
    /// The patches that hide the sound tracks of an MP4 file.
    private var soundTracks: [FilePatch] = []
    /// Whether FFmpeg reads the patches after opening the file as well.
    package private(set) var keepsPatches = false
    /// The patches that keep the frames which an animated PNG removes again; empty if it removes none.
    private(set) var keepingPictures: [FilePatch] = []
    /// The reason why programs may show other pictures than FFmpeg decodes, or nil if none was found.
    package private(set) var disagreement: Disagreement?
    /// The numbers of the tracks of opacity in a sequence, by the numbers of the tracks of colours.
    package private(set) var opacityTracks: [UInt32: UInt32] = [:]
    /// The last fragments of an MP4 file, or nil if none were found.
    package private(set) var fragments: MovieFragments?

    /// Whether every track of an MP4 or ASF file is sound and the file has no other content; false for other formats.
    private(set) var hasSoundTracksOnly = false
    /// The number of covers in an MP4 or ASF file; nil if a cover could be stored in a way that is not read here.
    private(set) var coverCount: Int? = 0
    /// Whether a Matroska file ends before its last element does; false for other formats.
    package private(set) var isCut = false
    /// The bytes of JPEG thumbnails in an MP4 file, which FFmpeg does not report.
    package private(set) var thumbnails: [Range<Int>] = []

    /// - Parameter isMovie: whether the file is a video. An MP4 video needs a movie box; an image sequence needs none.
    /// - Parameter isProbedAs: whether FFmpeg, which looks at the whole file, finds the format of a demuxer.
    /// - Throws: `unreadable`, `tooManyParts`.
    package init(
        _ file: InputFile, _ demuxer: Demuxer, isMovie: Bool, isProbedAs: (Demuxer) -> Bool
    ) throws(DecodingFailure) {
        switch demuxer {
        case .mov:
            let movie = try MovieStructure(file, isMovie: isMovie)
            soundTracks = movie.soundTracks.map { .hidingBox(namedAt: Int($0)) }
            patches = soundTracks
            if let position = movie.brandOfStill { patches.append(.brandOfSequence(at: position)) }
            patches += movie.disparityFormats.map { .formatOfHEVC(namedAt: $0) }
            opacityTracks = movie.opacityTracks
            (disagreement, fragments) = (movie.disagreement, movie.fragments)
            (hasSoundTracksOnly, coverCount) = (movie.hasSoundTracksOnly, movie.coverCount)
            thumbnails = movie.thumbnails
        case .matroska:
            let matroska = try MatroskaStructure(file)
            isCut = matroska.isCut
            disagreement = matroska.isJoined || matroska.hasDisagreement ? .contradiction : nil
        case .apng: keepingPictures = try PNGDisposals(file).patches
        case .ogg: disagreement = try OggPages.areNested(in: file) ? .contradiction : nil
        case .avi: disagreement = try AVIStructure.hasDisagreement(file) ? .contradiction : nil
        case .mpeg: disagreement = try ProgramStreamStructure.disagreement(file)
        case .asf:
            let asf = try ASFStructure(file)
            disagreement = asf.hasDisagreement ? .contradiction : nil
            (hasSoundTracksOnly, coverCount) = (asf.hasSoundOnly, asf.coverCount)
        case .dv: disagreement = try DVFrames.haveDisagreement(file) ? .contradiction : nil
        case .mpegts, .flv, .wav, .mp3, .flac, .jpeg: break
        }
        guard isMovie, disagreement == nil else { return }
        // Players choose a demuxer by the whole file, and may find another format in it.
        if !isProbedAs(demuxer) { disagreement = .contradiction }
    }

    /// Whether the track with a number holds the opacity of another.
    package func isOpacity(_ number: UInt32) -> Bool { opacityTracks.values.contains(number) }

    /// The structure of the same file with its sound tracks.
    package var showingSound: ContainerStructure {
        var structure = self
        structure.patches.removeFirst(soundTracks.count)
        structure.soundTracks = []
        return structure
    }

    /// The structure of the same file with all pictures left in place, or nil if the file removes none.
    package var leavingPicturesInPlace: ContainerStructure? {
        guard !keepingPictures.isEmpty else { return nil }
        var structure = self
        (structure.patches, structure.keepsPatches) = (keepingPictures, true)
        return structure
    }
}
