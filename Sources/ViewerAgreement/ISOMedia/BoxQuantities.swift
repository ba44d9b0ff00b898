// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The table of how often each box of a movie may stand in each other box.
///
/// Of two boxes where the standard has one, some programs obey the first and others the last. FFmpeg reads most boxes
/// wherever they stand, and other programs read them in their own containers only.
///
/// Source: ISO/IEC 14496-12, the container and the quantity of each box; QuickTime File Format, "Movie atoms".
enum BoxQuantities {
    /// The boxes that a container may hold, as names that are separated by spaces.
    struct Contents {
        /// The boxes of which the container may have one, or one of several that are alternatives.
        let single: [Set<Substring>]
        /// The boxes that may be repeated.
        let repeated: Set<Substring>

        init(one single: String, many repeated: String = "") {
            self.single = single.split(separator: " ").map { Set($0.split(separator: "|")) }
            self.repeated = Set(repeated.split(separator: " "))
        }

        var names: Set<Substring> { single.reduce(repeated) { $0.union($1) } }
    }

    /// The boxes of each container; other boxes are not entered.
    static let contents: [String: Contents] = [
        file: Contents(one: "ftyp pdin moov mfra meta", many: "moof sidx"),
        "moov": Contents(one: "mvhd mvex iods meta", many: "trak"),
        "trak": Contents(one: "tkhd tref edts mdia meta"),
        "edts": Contents(one: "elst"),
        "mdia": Contents(one: "mdhd hdlr minf elng"),
        // The second handler, of the data, is QuickTime's.
        "minf": Contents(one: "vmhd|smhd|hmhd|sthd|nmhd|gmhd dinf stbl hdlr"),
        "dinf": Contents(one: "dref"),
        "stbl": Contents(one: "stsd stts ctts cslg stsc stsz|stz2 stco|co64 stss stps stsh padb stdp sdtp"),
        visualDescription: Contents(one: "avcC|hvcC|av1C|vpcC|esds|glbl|d263|dvc1 lhvC clap pasp"),
        "mvex": Contents(one: "mehd leva", many: "trex"),
        "moof": Contents(one: "mfhd meta", many: "traf"),
        "traf": Contents(one: "tfhd tfdt meta", many: "trun"),
        "mfra": Contents(one: "mfro", many: "tfra"),
        "meta": Contents(one: "hdlr pitm dinf iloc iinf iref iprp idat"),
        "udta": Contents(one: "meta"),
        // FFmpeg enters these, and would read any of the boxes above in them.
        "tref": Contents(one: ""), "sinf": Contents(one: ""), "schi": Contents(one: ""), "iprp": Contents(one: ""),
        "wave": Contents(one: ""), "ilst": Contents(one: ""),
    ]
    /// The formats of a sample description to which the parameters of a codec belong.
    ///
    /// Sources: ISO/IEC 14496-14, section 6.7; ISO/IEC 14496-15, sections 5.4.2 and 8.4.1; "AV1 Codec ISO Media File
    /// Format Binding" and "VP Codec ISO Media File Format Binding".
    private static let formats: [String: Set<String>] = [
        "avcC": ["avc1", "avc2", "avc3", "avc4"], "hvcC": ["hvc1", "hev1", AuxiliaryTrack.disparityFormat],
        "av1C": ["av01"], "vpcC": ["vp08", "vp09"],
        "esds": ["mp4v"],
    ]

    /// Whether the parameters in a sample description are those of its format; programs obey one or the other.
    static func fit(_ format: String, _ properties: [MediaBoxes.Box]) -> Bool {
        // Encrypted pictures are not decoded.
        if format == "encv" { return true }
        return properties.allSatisfy { formats[$0.name]?.contains(format) ?? true }
    }

    /// The names of all boxes that have a place of their own.
    private static let known: Set<Substring> = contents.values.reduce([]) { $0.union($1.names) }

    /// The outermost level of a file, as a container.
    static let file = "file"
    /// A sample description of pictures, as a container.
    static let visualDescription = "description"

    /// Whether no box in a container, at any depth, stands there too often or in a container of another kind.
    ///
    /// - Parameter isLeftOut: tells of a box whose contents are checked elsewhere.
    static func areKept(
        by boxes: [MediaBoxes.Box], in container: String, _ reader: inout MediaBoxes,
        leavingOut isLeftOut: (MediaBoxes.Box) -> Bool = { _ in false }
    ) throws(DecodingFailure) -> Bool {
        guard let allowed = contents[container] else { return true }
        let names = boxes.map { $0.name[...] }
        guard Set(names).intersection(known).isSubset(of: allowed.names),
            allowed.single.allSatisfy({ alternatives in names.count(where: alternatives.contains) <= 1 })
        else { return false }
        for box in boxes where box.isWhole && contents[box.name] != nil && !isLeftOut(box) {
            var parts = try reader.boxes(in: box.content)
            // In QuickTime, the box "meta" has no version and no flags.
            if box.name == "meta", parts.first?.name != "hdlr", box.content.count >= 4 {
                parts = try reader.boxes(in: (box.content.lowerBound + 4)..<box.content.upperBound)
            }
            guard try areKept(by: parts, in: box.name, &reader, leavingOut: isLeftOut) else { return false }
        }
        return true
    }
}
