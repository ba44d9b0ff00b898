// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore

/// The header and tag table of an ICC profile, to the extent that they decide the renderings of viewers.
///
/// Source: ICC.1:2022, sections 7.2, 7.3 and 9.2.17.
package struct ColourProfile {
    package let bytes: [UInt8]
    /// The number of colour channels that the profile describes; 0 for colour spaces other than grey, RGB or CMYK.
    package let channelCount: Int
    /// Code points that name another curve than that of sRGB, which browsers obey before the curves and tables.
    ///
    /// libjxl 0.11 writes them for a high dynamic range. Source: Rec. ITU-T H.273, table 3.
    package let unusualPoints: CodePoints?
    private let tags: [String: Range<Int>]

    /// - Returns: nil if the bytes are not a profile; every viewer ignores such bytes.
    /// - Throws: `ambiguousRendering` if viewers may use the profile in a way that is not applied here.
    package init?(_ bytes: [UInt8]) throws(DecodingFailure) {
        guard bytes.hasText("acsp", at: 36), let tagCount: UInt32 = bytes.bigEndian(at: 128) else { return nil }
        self.bytes = bytes
        channelCount =
            if bytes.hasText("GRAY", at: 16) { 1 } else if bytes.hasText("RGB ", at: 16) {
                3
            } else if bytes.hasText("CMYK", at: 16) { 4 } else { 0 }
        guard tagCount <= Self.mostTags else { throw Self.unsupported("\(tagCount) tags") }
        var tags: [String: Range<Int>] = [:]
        for index in 0..<Int(tagCount) {
            let entry = 132 + 12 * index
            guard let start: UInt32 = bytes.bigEndian(at: entry + 4), let size: UInt32 = bytes.bigEndian(at: entry + 8)
            else { break }
            let name = String(decoding: bytes[entry..<(entry + 4)], as: UTF8.self)
            // If two tags have one name, programs use one or the other.
            guard tags.updateValue(Int(start)..<(Int(start) + Int(size)), forKey: name) == nil else {
                throw Self.unsupported("a tag twice")
            }
        }
        self.tags = tags
        unusualPoints = tags["cicp"].flatMap { tag in
            let points = CodePoints(bytes, at: tag.lowerBound + 8)
            return points?.hasCurveOfSRGB == false ? points : nil
        }
        // LittleCMS prefers tables of floating point numbers to all others, and browsers do not support them.
        guard !tags.keys.contains(where: { $0.hasPrefix("D2B") }) else {
            throw Self.unsupported("tables of floating point numbers")
        }
        let tables = ProfileTables(bytes, channelCount: channelCount)
        for (name, place) in tags where name.hasPrefix("A2B") {
            try checkMatrix(ofTable: name)
            guard tables.isEvenTable(at: place.lowerBound) else { throw Self.unsupported("an uneven table") }
        }
        for name in ["rXYZ", "gXYZ", "bXYZ"] { try checkPrimary(name) }
        let classes: [StaticString] = ["mntr", "scnr", "prtr", "spac"]
        guard classes.contains(where: { bytes.hasText($0, at: 12) }) else { throw Self.unsupported("an unusual class") }
    }

    /// Whether it has only curves and a matrix, so its effect on each channel determines its effect on all colours.
    package var isCurvesAndMatrix: Bool { !tags.keys.contains { $0.hasPrefix("A2B") } }

    /// Returns the profile without its tables, for programs that obey curves; nil if it has no tables or no curves.
    package func withoutTables() throws(DecodingFailure) -> ColourProfile? {
        guard !isCurvesAndMatrix, tags["rTRC"] != nil || tags["kTRC"] != nil else { return nil }
        var bytes = bytes
        for index in 0..<tags.count where bytes.hasText("A2B", at: 132 + 12 * index) {
            bytes.replaceSubrange((132 + 12 * index)..<(135 + 12 * index), with: Array("sca".utf8))
        }
        return try ColourProfile(bytes)
    }

    /// Whether its curves are even enough to be applied to samples of 16 bits.
    package var hasEvenCurves: Bool {
        let tables = ProfileTables(bytes, channelCount: channelCount)
        return tags.allSatisfy { name, place in !name.hasSuffix("TRC") || tables.isEvenCurve(at: place.lowerBound) }
    }

    /// Checks that the matrix of a table is the identity, because LittleCMS applies it and browsers do not.
    private func checkMatrix(ofTable name: String) throws(DecodingFailure) {
        guard let start = tags[name]?.lowerBound, bytes.hasText("mft", at: start) else { return }
        for index in 0..<9 {
            let value = Self.fixed(bytes, at: start + 12 + 4 * index)
            guard abs(value - (index % 4 == 0 ? 1 : 0)) < 0.001 else { throw Self.unsupported("a matrix in a table") }
        }
    }

    /// Checks that a primary colour is no brighter than any display, because LittleCMS calculates with few bits.
    private func checkPrimary(_ name: String) throws(DecodingFailure) {
        guard let start = tags[name]?.lowerBound else { return }
        for index in 0..<3 where abs(Self.fixed(bytes, at: start + 8 + 4 * index)) > Self.mostOfPrimary {
            throw Self.unsupported("a primary colour that no display has")
        }
    }

    /// Returns a number that is stored in units of 1/65,536.
    private static func fixed(_ bytes: [UInt8], at offset: Int) -> Double {
        Double(Int32(bitPattern: bytes.bigEndian(at: offset) ?? 0)) / 65_536
    }

    /// The largest XYZ value of a primary colour; wide colour spaces have up to 1.0.
    private static let mostOfPrimary = 2.0

    package static func unsupported(_ reason: String) -> DecodingFailure {
        DecodingFailure(.unsupportedProfile(reason))
    }

    /// The largest number of tags that LittleCMS applies.
    private static let mostTags: UInt32 = 100
}
