// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The sound tracks and the contradictions in an MP4 or QuickTime file, which FFmpeg does not report.
///
/// Source: ISO/IEC 14496-12, sections 8.1 to 8.8.
package struct MovieStructure {
    /// The positions of the box names of sound tracks, in bytes, by which these tracks are hidden from FFmpeg.
    package private(set) var soundTracks: [Int64] = []
    /// The position of a brand by which FFmpeg would leave out the movie, or nil if the file has none.
    package private(set) var brandOfStill: Int?
    /// The reason why programs may show other pictures than FFmpeg decodes, or nil if none was found.
    package private(set) var disagreement: Disagreement?
    /// The last fragments of the file, or nil if none were found.
    package private(set) var fragments: MovieFragments?
    /// Whether every track is sound, there is a track, and no other part of the file could hold pictures.
    package private(set) var hasSoundTracksOnly = false
    /// The number of covers; nil if a cover could be stored in a way that is not read here.
    package private(set) var coverCount: Int? = 0
    /// The bytes of JPEG thumbnails, which FFmpeg does not report.
    package private(set) var thumbnails: [Range<Int>] = []
    /// The numbers of the tracks of opacity in a sequence, by the numbers of the tracks of colours.
    package private(set) var opacityTracks: [UInt32: UInt32] = [:]
    /// The positions of formats of disparity in sample descriptions, which FFmpeg knows under the name of HEVC.
    package private(set) var disparityFormats: [Int] = []
    private let file: InputFile
    private var reader: MediaBoxes
    private var soundTrackPositions: [Int] = []

    /// - Parameter isMovie: whether the file must have a movie box (`moov`). A file of pictures needs none.
    /// - Throws: `unreadable`, `tooManyParts`.
    package init(_ file: InputFile, isMovie: Bool) throws(DecodingFailure) {
        self.file = file
        reader = MediaBoxes(file, maximumCount: Self.mostBoxes)
        let boxes = try reader.boxes(in: 0..<file.byteCount)
        try checkCount()
        let movies = boxes.filter { $0.name == "moov" }
        if movies.count != 1 || boxes.contains(where: { $0.name == "hoov" }) {
            disagreement = movies.isEmpty && !isMovie ? nil : .contradiction
        }
        // Some programs look for brands behind the first box, and show the file as pictures.
        let types = boxes.indices.filter { boxes[$0].name == "ftyp" }
        if types.count > 1 || types.first ?? 0 > 0 { disagreement = .contradiction }
        guard let movie = movies.first else { return }
        if let type = types.first, try file.bytes(at: boxes[type].content.lowerBound, count: 4) == Array("avif".utf8) {
            brandOfStill = boxes[type].content.lowerBound
        }
        let earlier = boxes.prefix { $0.position < movie.position }
        if try HiddenMovie.isIn(earlier, of: file, hasMovie: true) { disagreement = .contradiction }
        // No program has the rest of a cut file, so no program can show other pictures from it.
        guard movie.isWhole else { return }
        let hasFragments = boxes.contains { $0.name == "moof" }
        if hasFragments {
            fragments = try MovieFragments(among: boxes, in: file, &reader)
            if try FragmentIndex.hasDisagreement(boxes, in: file, &reader) { disagreement = .contradiction }
        }
        try inspect(movie, isMovie: isMovie, hasFragments: hasFragments)
        if try !areOrderly(boxes) { disagreement = disagreement ?? .contradiction }
        hasSoundTracksOnly = hasSoundTracksOnly && boxes.allSatisfy { Self.soundFileBoxes.contains($0.name) }
    }

    /// Whether boxes keep to the table of the standard, and fragments give the places of their samples.
    private func areOrderly(_ boxes: [MediaBoxes.Box]) throws(DecodingFailure) -> Bool {
        var reader = MediaBoxes(file, maximumCount: Self.mostParts)
        let isKept = try BoxQuantities.areKept(by: boxes, in: BoxQuantities.file, &reader) {
            soundTrackPositions.contains($0.position)
        }
        guard isKept else { return false }
        for fragment in boxes where fragment.name == "moof" {
            guard try TrackFragments.arePlaced(in: fragment, of: file, &reader) else { return false }
        }
        guard !reader.isExhausted else {
            throw DecodingFailure(.tooManyParts, bound: UInt64(Self.mostParts), detail: "boxes")
        }
        return true
    }

    private mutating func inspect(
        _ movie: MediaBoxes.Box, isMovie: Bool, hasFragments: Bool
    ) throws(DecodingFailure) {
        let parts = try reader.boxes(in: movie.content)
        let covers = try MovieCovers(among: parts, in: file, &reader)
        (coverCount, thumbnails) = (covers.count, covers.thumbnails)
        // FFmpeg reads a compressed movie, but its tracks cannot be inspected here.
        if parts.contains(where: { $0.name == "cmov" }) { disagreement = .contradiction }
        if try !TrackNumbers.areUnique(among: parts, in: file, &reader) { disagreement = .contradiction }
        let tracks = parts.filter { $0.name == "trak" }
        guard tracks.count <= Self.mostTracks else {
            throw DecodingFailure(
                .tooManyParts, value: UInt64(tracks.count), bound: UInt64(Self.mostTracks), detail: "tracks")
        }
        // Browsers apply the colour profile of a picture sequence. No program applies the profile of a video.
        if !isMovie, try hasProfile(movie) { disagreement = disagreement ?? .otherLook }
        let isFragmented = hasFragments || parts.contains { $0.name == "mvex" }
        for track in tracks where track.isWhole {
            // Colours that are multiplied by opacity already refer to it.
            if !isMovie, try AuxiliaryTrack.refers(track, by: ["prem"], &reader) {
                disagreement = disagreement ?? .otherLook
            }
            if try SoundTrack.isSound(track, in: file, &reader) {
                soundTrackPositions.append(track.position)
            } else if let found = try disagreement(about: track, isMovie: isMovie, isFragmented: isFragmented) {
                disagreement = disagreement ?? found
            }
        }
        try checkCount()
        hasSoundTracksOnly =
            !tracks.isEmpty && soundTrackPositions.count == tracks.count
            && parts.allSatisfy { $0.isWhole && Self.soundMovieBoxes.contains($0.name) }
        // A file of sound is not decoded, so its thumbnail would not be looked at.
        if hasSoundTracksOnly, !thumbnails.isEmpty { coverCount = nil }
        // Fragmented files have small indices, so their sound tracks are not hidden.
        if !isFragmented, parts.allSatisfy(\.isWhole) { soundTracks = soundTrackPositions.map { Int64($0 + 4) } }
    }

    private func hasProfile(_ movie: MediaBoxes.Box) throws(DecodingFailure) -> Bool {
        guard movie.content.count <= Self.mostSearchedBytes else { return true }
        let bytes = try file.bytes(at: movie.content.lowerBound, count: movie.content.count)
        return bytes.indices.dropLast(7).contains { place in
            bytes[place] == 0x63 && bytes.hasText("colr", at: place)
                && (bytes.hasText("prof", at: place + 4) || bytes.hasText("rICC", at: place + 4))
        }
    }

    private func checkCount() throws(DecodingFailure) {
        guard !reader.isExhausted else {
            throw DecodingFailure(.tooManyParts, bound: UInt64(Self.mostBoxes), detail: "boxes")
        }
    }

    /// Returns a disagreement about a track that may have pictures, or nil if there is none.
    ///
    /// FFmpeg leaves out samples whose description names another codec than the first description. In fragments, it
    /// leaves out all samples with another description.
    private mutating func disagreement(
        about track: MediaBoxes.Box, isMovie: Bool, isFragmented: Bool
    ) throws(DecodingFailure) -> Disagreement? {
        if try Self.hasSeveralEdits(track, in: file, &reader) { return .contradiction }
        guard let media = try reader.parts(of: track, each: ["mdia"])?.only("mdia"),
            let parts = try reader.parts(of: media, each: ["hdlr", "minf"]),
            let samples = try reader.parts(of: parts.only("minf"), each: ["stbl"])?.only("stbl"),
            let tables = try reader.parts(of: samples, each: ["stsd"]), tables.only("stsd").content.count >= 8
        else { return .contradiction }
        let table = tables.only("stsd")
        let handler = parts.only("hdlr").content
        let isAuxiliary = try file.bytes(at: handler.lowerBound, count: min(12, handler.count)).hasText("auxv", at: 8)
        let header = try file.bytes(at: table.content.lowerBound, count: 8)
        let descriptions = try reader.boxes(in: (table.content.lowerBound + 8)..<table.content.upperBound)
        guard Int(header.bigEndian(at: 4, as: UInt32.self) ?? 0) == descriptions.count,
            descriptions.allSatisfy(\.isWhole)
        else { return .contradiction }
        guard try SampleTables(tables.boxes, in: file).areConsistent(descriptionCount: descriptions.count) else {
            return .contradiction
        }
        // Browsers go by the reference to the other track, whatever the handler is.
        if !isMovie, try AuxiliaryTrack.refers(track, by: ["auxl"], &reader) != isAuxiliary { return .otherLook }
        if isAuxiliary {
            let auxiliary = try AuxiliaryTrack(track, descriptions, in: file, &reader, isMovie: isMovie)
            switch auxiliary.kind {
            case .opacity(let colours):
                if opacityTracks.updateValue(auxiliary.number, forKey: colours) != nil { return .otherLook }
            case .disparity: disparityFormats += descriptions.map { $0.position + 4 }
            case .unknown: return .otherLook
            }
        }
        let names = Set(descriptions.map(\.name))
        if names.isSubset(of: SoundTrack.formats) { return nil }
        for description in descriptions {
            let start = min(description.content.lowerBound + Self.visualHeaderSize, description.content.upperBound)
            let properties = try reader.boxes(in: start..<description.content.upperBound)
            guard BoxQuantities.fit(description.name, properties),
                try BoxQuantities.areKept(by: properties, in: BoxQuantities.visualDescription, &reader)
            else {
                return .contradiction
            }
            // FFmpeg skips the colour table that this depth announces, and finds other boxes behind it.
            let depth = try file.bytes(at: description.content.lowerBound + Self.depthPosition, count: 2)
            if Self.unmistakableFormats.contains(description.name), depth.count == 2,
                [1, 2, 4, 8].contains(depth[1] & 31)
            {
                return .contradiction
            }
            if try CleanAperture.cutsOff(in: description, boxes: properties, file, isMovie: isMovie) {
                return .otherLook
            }
        }
        guard descriptions.count > 1 else { return nil }
        let isOneCodec = names.count == 1 && names.isSubset(of: Self.unmistakableFormats)
        return isOneCodec && !isFragmented ? nil : .changedCodec
    }

    /// Whether an edit list does more than move the start of a track.
    ///
    /// With any other list, players leave out frames on which later frames depend, or show a frame repeatedly. Here,
    /// each frame is decoded once. Source: ISO/IEC 14496-12, section 8.6.6.
    private static func hasSeveralEdits(
        _ track: MediaBoxes.Box, in file: InputFile, _ reader: inout MediaBoxes
    ) throws(DecodingFailure) -> Bool {
        var lists: [MediaBoxes.Box] = []
        for edits in try reader.boxes(in: track.content) where edits.name == "edts" {
            lists += try reader.boxes(in: edits.content).filter { $0.name == "elst" }
        }
        guard let list = lists.first else { return false }
        let bytes = try file.bytes(at: list.content.lowerBound, count: min(list.content.count, mostEditBytes))
        guard lists.count == 1, bytes.count >= 8, bytes[0] <= 1 else { return true }
        let (fieldSize, count) = (bytes[0] == 1 ? 8 : 4, Int(bytes.bigEndian(at: 4, as: UInt32.self) ?? 0))
        guard count <= mostEdits, bytes.count >= 8 + count * (2 * fieldSize + 4) else { return true }
        for index in 0..<count {
            let entry = 8 + index * (2 * fieldSize + 4)
            let isEmpty = bytes[(entry + fieldSize)..<(entry + 2 * fieldSize)].allSatisfy { $0 == 255 }
            let rate: UInt32? = bytes.bigEndian(at: entry + 2 * fieldSize)
            guard rate == 0x1_0000, isEmpty == (index < count - 1) else { return true }
        }
        return false
    }

    /// The most edits of a plain list: some programs write a few empty edits for the delay, before the edit itself.
    private static let mostEdits = 8
    private static let mostEditBytes = 256
    /// The size of the fields before the boxes of a visual sample description, in bytes.
    static let visualHeaderSize = 78
    private static let depthPosition = 74
    private static let mostTracks = 64
    /// The most boxes that are read; ten hours in fragments of a quarter of a second have fewer.
    private static let mostBoxes = 300_000
    /// The most boxes inside these that are read for the order of their parts.
    private static let mostParts = 8_000_000
    private static let mostSearchedBytes = 1 << 20

    /// The boxes of a file with sound only; `meta` is missing because it may list pictures.
    private static let soundFileBoxes: Set<String> = [
        "ftyp", "styp", "moov", "mdat", "free", "skip", "wide", "moof", "mfra", "sidx",
    ]
    /// The boxes of a movie with sound only; covers in `udta` are counted, and a `meta` elsewhere may list pictures.
    private static let soundMovieBoxes: Set<String> = ["mvhd", "trak", "udta", "mvex", "iods", "free"]

    /// The formats of sample descriptions that name one codec each; `mp4v` is missing because it names several.
    private static let unmistakableFormats: Set<String> = [
        "avc1", "avc3", "hvc1", "hev1", "vp08", "vp09", "av01", "apch", "apcn", "apcs", "apco", "ap4h", "ap4x",
    ]
}

extension MediaBoxes {
    /// The boxes inside another box.
    package struct Parts {
        let boxes: [Box]

        /// Returns the only box of a name, which must be among the names given to `parts(of:each:)`.
        package func only(_ name: String) -> Box { boxes.first { $0.name == name }! }
        package func besides(_ names: String...) -> [Box] { boxes.filter { !names.contains($0.name) } }
    }

    /// Returns the boxes inside another box, or nil unless each name occurs exactly once and all boxes are complete.
    package mutating func parts(of box: Box, each names: [String]) throws(DecodingFailure) -> Parts? {
        let boxes = try boxes(in: box.content)
        guard let last = boxes.last, last.isWhole, !isExhausted,
            box.content.upperBound - last.content.upperBound < Self.shortestBox
        else { return nil }
        for name in names {
            guard boxes.filter({ $0.name == name }).count == 1 else { return nil }
        }
        return Parts(boxes: boxes)
    }

    private static let shortestBox = 8
}
