// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// A track that belongs to another track: opacity of a picture sequence, or disparity of a phone's movie.
///
/// Sources: ISO/IEC 23008-12, sections 7.5.2 and 7.5.3; AV1 Image File Format, section 4; QuickTime File Format.
struct AuxiliaryTrack {
    enum Kind: Equatable {
        /// The opacity of the frames of a track, given by its number.
        case opacity(of: UInt32)
        /// Frames that say how far parts of the picture are away. The movies of phones have them in a format of HEVC.
        case disparity
        /// A track whose frames programs may combine with those of another track.
        case unknown
    }

    let kind: Kind
    /// The number of the track.
    let number: UInt32

    /// - Parameters:
    ///   - descriptions: the sample descriptions of the track.
    ///   - isMovie: whether the file is a movie, in which no program combines tracks by their opacity.
    init(
        _ track: MediaBoxes.Box, _ descriptions: [MediaBoxes.Box], in file: InputFile, _ reader: inout MediaBoxes,
        isMovie: Bool
    ) throws(DecodingFailure) {
        let parts = try reader.boxes(in: track.content)
        let header = try parts.first { $0.name == "tkhd" }.map { box throws(DecodingFailure) in
            try file.bytes(at: box.content.lowerBound, count: min(24, box.content.count))
        }
        number = header.flatMap(TrackNumbers.number(inHeader:)) ?? 0
        if !descriptions.isEmpty, descriptions.allSatisfy({ $0.name == Self.disparityFormat }) {
            kind = isMovie ? .disparity : .unknown
            return
        }
        var isOpacity = descriptions.count == 1
        for description in descriptions {
            let start = min(
                description.content.lowerBound + MovieStructure.visualHeaderSize, description.content.upperBound)
            let types = try reader.boxes(in: start..<description.content.upperBound).filter { $0.name == "auxi" }
            guard types.count == 1, let type = types.first, type.content.count <= Self.longestType else {
                kind = .unknown
                return
            }
            let text = try file.bytes(at: type.content.lowerBound + 4, count: max(0, type.content.count - 4))
            isOpacity =
                isOpacity && Self.opacityTypes.contains(String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
        }
        var references: [(name: String, content: [UInt8])] = []
        for list in parts where list.name == "tref" {
            for box in try reader.boxes(in: list.content) {
                references.append(
                    (box.name, try file.bytes(at: box.content.lowerBound, count: min(8, box.content.count))))
            }
        }
        guard !isMovie, isOpacity, references.count == 1, let reference = references.first, reference.name == "auxl",
            reference.content.count == 4, let target: UInt32 = reference.content.bigEndian(at: 0)
        else {
            kind = .unknown
            return
        }
        kind = .opacity(of: target)
    }

    /// Whether a track refers to another one by a reference of these kinds.
    static func refers(
        _ track: MediaBoxes.Box, by kinds: Set<String>, _ reader: inout MediaBoxes
    ) throws(DecodingFailure) -> Bool {
        for list in try reader.boxes(in: track.content) where list.name == "tref" {
            if try reader.boxes(in: list.content).contains(where: { kinds.contains($0.name) }) { return true }
        }
        return false
    }

    /// The name of a sample description of disparity, whose frames are HEVC.
    static let disparityFormat = "dish"
    private static let opacityTypes: Set = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
    ]
    private static let longestType = 256
}
