// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpeg
internal import CFFmpegShims
internal import FileAccess
internal import HelperProtocol
internal import MediaInspection

/// What is read of a container before FFmpeg opens it.
struct ContainerStructure {
    /// What FFmpeg reads instead of what is there while it opens the file: the tracks of sound of an MP4 file are hidden.
    private(set) var patches: [FilePatch] = []
    /// Whether the patches hold for the whole file.
    private(set) var keepsPatches = false
    /// The patches by which pictures stay that the file takes away; empty where it takes none away.
    private(set) var keepingPictures: [FilePatch] = []
    /// Why programs may show other pictures than FFmpeg decodes; nil where nothing speaks for that.
    private(set) var doubt: TrackEnd.Reason?
    /// The last fragments of an MP4 file; nil where it has none.
    private(set) var fragments: MovieFragments?

    /// - Parameter isMovie: whether an MP4 file has to have a movie; pictures need not.
    /// - Throws: `unreadable`, `tooManyParts`.
    init(_ file: InputFile, _ demuxer: Demuxer, isMovie: Bool) throws(DecodingFailure) {
        switch demuxer {
        case .mov:
            let movie = try MovieStructure(file, isMovie: isMovie)
            patches = movie.soundTracks.map { .hidingBox(namedAt: Int($0)) }
            (doubt, fragments) = (movie.doubt, movie.fragments)
        case .matroska:
            let matroska = try MatroskaStructure(file)
            doubt = matroska.isJoined || matroska.isMisled ? .contradiction : nil
        case .apng:
            doubt = try PNGColors(file).areDoubtful ? .doubtfulLook : nil
            keepingPictures = try PNGDisposals(file).patches
        case .ogg: doubt = try OggPages.areNested(in: file) ? .contradiction : nil
        case .avi, .mpegts, .flv: break
        }
        guard isMovie, doubt == nil else { return }
        let isProbed = unsafe CFFmpegShims_is_probed_as(
            file.descriptor.number, Int64(file.start), Int64(file.byteCount), demuxer.rawValue)
        // Players choose by the whole file, and may find another one in it.
        if isProbed != 1 { doubt = .contradiction }
    }

    /// The structure of the same file with all pictures left in place; nil where that makes no difference.
    var leavingPicturesInPlace: ContainerStructure? {
        guard !keepingPictures.isEmpty else { return nil }
        var structure = self
        (structure.patches, structure.keepsPatches) = (keepingPictures, true)
        return structure
    }
}

/// Up to eight bytes that FFmpeg reads at a position of a file instead of those that are there.
struct FilePatch: Equatable {
    var position: Int
    var bytes: [UInt8]

    /// Gives a box of an MP4 file another name, by which it is passed over.
    static func hidingBox(namedAt position: Int) -> FilePatch {
        FilePatch(position: position, bytes: Array("free".utf8))
    }

    /// The patch in the form that C takes.
    var raw: CFFmpegShims_Patch {
        var patch = CFFmpegShims_Patch()
        patch.position = Int64(position)
        patch.count = Int32(min(bytes.count, MemoryLayout.size(ofValue: patch.bytes)))
        let kept = bytes.prefix(Int(patch.count))
        unsafe withUnsafeMutableBytes(of: &patch.bytes) { unsafe $0.copyBytes(from: kept) }
        return patch
    }
}
