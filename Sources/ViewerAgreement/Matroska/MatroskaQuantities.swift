// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// The table of how often each element may stand in each other element of a Matroska file.
///
/// Of two elements where the standard has one, some programs obey the first and others the last.
///
/// Source: RFC 9559, section 5.1, the path and the maximum of occurrences of each element; RFC 8794, section 11.2.
enum MatroskaQuantities {
    struct Contents {
        /// The elements of which there may be one.
        let single: Set<UInt32>
        /// The elements that may be repeated.
        let repeated: Set<UInt32>

        init(one single: Set<UInt32>, many repeated: Set<UInt32> = []) {
            (self.single, self.repeated) = (single, repeated)
        }

        var names: Set<UInt32> { single.union(repeated) }
    }

    /// The parts of each element; other elements are not entered.
    static let contents: [UInt32: Contents] = [
        MatroskaIdentifier.header: Contents(one: [
            0x4286, 0x42F7, 0x42F2, 0x42F3, MatroskaIdentifier.documentType, 0x4287, 0x4285,
        ]),
        MatroskaIdentifier.information: Contents(
            one: [0x73A4, 0x7384, 0x3C_B923, 0x3C_83AB, 0x3E_B923, 0x3E_83BB, 0x2A_D7B1, 0x4489, 0x4461, 0x7BA9]),
        MatroskaIdentifier.tracks: Contents(one: [], many: [MatroskaIdentifier.track]),
        MatroskaIdentifier.track: Contents(
            one: [
                MatroskaIdentifier.trackNumber, 0x73C5, MatroskaIdentifier.trackType, 0xB9, 0x88, 0x55AA, 0x55AB,
                0x55AC, 0x55AD,
                0x55AE, 0x55AF, 0x9C, 0x6DE7, 0x6DF8, 0x23_E383, 0x23_4E7A, 0x23_314F, 0x537F, 0x55EE, 0x536E,
                0x22_B59C, 0x22_B59D, MatroskaIdentifier.codec, MatroskaIdentifier.parameters, 0x25_8688, 0x7446,
                0x3A_9697, 0xAA, 0x56AA,
                0x56BB,
                MatroskaIdentifier.video, 0xE1, 0xE2, MatroskaIdentifier.encodings,
            ], many: [0x41E4, 0x3B_4040, 0x26_B240, 0x6FAB, 0x6624]),
        MatroskaIdentifier.video: Contents(
            one: [
                0x9A, 0x9D, 0x53B8, 0x53C0, 0x53B9, 0xB0, 0xBA, 0x54AA, 0x54BB, 0x54CC, 0x54DD, 0x54B0, 0x54BA, 0x54B2,
                0x54B3, 0x2E_B524, 0x2F_B523, 0x23_83E3, MatroskaIdentifier.colour, MatroskaIdentifier.projection,
            ]),
        MatroskaIdentifier.colour: Contents(
            one: [
                0x55B1, 0x55B2, 0x55B3, 0x55B4, 0x55B5, 0x55B6, 0x55B7, 0x55B8, 0x55B9, 0x55BA, 0x55BB, 0x55BC, 0x55BD,
                0x55D0,
            ]),
        MatroskaIdentifier.projection: Contents(one: [0x7671, 0x7672, 0x7673, 0x7674, 0x7675]),
        MatroskaIdentifier.encodings: Contents(one: [], many: [MatroskaIdentifier.encoding]),
        MatroskaIdentifier.encoding: Contents(
            one: [
                MatroskaIdentifier.encodingOrder, MatroskaIdentifier.encodingScope, MatroskaIdentifier.encodingType,
                MatroskaIdentifier.compression, MatroskaIdentifier.encryption,
            ]
        ),
        MatroskaIdentifier.compression: Contents(one: [
            MatroskaIdentifier.compressionAlgorithm, MatroskaIdentifier.compressionSettings,
        ]),
        MatroskaIdentifier.index: Contents(one: [], many: [MatroskaIdentifier.point]),
        MatroskaIdentifier.point: Contents(one: [0xB3], many: [MatroskaIdentifier.clusterPlace]),
        MatroskaIdentifier.clusterPlace: Contents(
            one: [0xF7, MatroskaIdentifier.clusterPosition, 0xF0, 0xB2, 0x5378, 0xEA], many: [0xDB]),
        MatroskaIdentifier.list: Contents(one: [], many: [MatroskaIdentifier.listed]),
        MatroskaIdentifier.listed: Contents(
            one: [MatroskaIdentifier.listedIdentifier, MatroskaIdentifier.listedPosition]),
        MatroskaIdentifier.cluster: Contents(
            one: [0xE7, 0xA7, 0xAB], many: [MatroskaIdentifier.simpleBlock, MatroskaIdentifier.blockGroup]),
        MatroskaIdentifier.blockGroup: Contents(
            one: [0xA1, 0xA2, 0x75A1, 0x9B, 0xFA, 0xFD, 0xA4, 0x75A2, 0x8E, 0xC8, 0xAF], many: [0xFB]),
    ]
    /// The identifiers of all elements that have a place of their own.
    private static let known: Set<UInt32> = contents.values.reduce(Set(contents.keys)) { $0.union($1.names) }

    /// Whether a checksum has four bytes, and a number of a cluster at most eight, so nothing else hides in them.
    static func hasSizeOfItsKind(_ element: MatroskaElements.Element) -> Bool {
        guard let end = element.end else { return true }
        if element.identifier == MatroskaIdentifier.checksum { return end - element.start == 4 }
        return end - element.start <= 8
            || contents[MatroskaIdentifier.cluster]?.single.contains(element.identifier) == false
    }

    /// Whether no element inside another stands there too often, in another's place, or beyond its end.
    ///
    /// - Throws: `unreadable`, `tooManyParts`.
    static func areKept(
        by element: MatroskaElements.Element, _ reader: inout MatroskaElements
    ) throws(DecodingFailure) -> Bool {
        guard let allowed = contents[element.identifier] else { return true }
        guard let end = element.end else { return false }
        var found: Set<UInt32> = []
        for part in try reader.elements(in: element.start..<end) {
            let identifier = part.identifier
            if known.contains(identifier) {
                guard allowed.repeated.contains(identifier) || allowed.single.contains(identifier),
                    found.insert(identifier).inserted || allowed.repeated.contains(identifier)
                else { return false }
            }
            guard let partEnd = part.end, partEnd <= end, hasSizeOfItsKind(part), try areKept(by: part, &reader) else {
                return false
            }
        }
        return true
    }
}
