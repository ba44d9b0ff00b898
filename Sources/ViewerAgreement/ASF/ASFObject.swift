// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore

/// An object of an ASF file: an identifier, a size and a content.
struct ASFObject {
    let kind: Kind?
    /// The content behind identifier and size, in bytes of the file.
    let content: Range<Int>

    /// The objects that a file may have, by their identifiers.
    ///
    /// Missing are scripts, which play other files, brands, which are pictures, and encryption. Source: Microsoft,
    /// "Advanced Systems Format (ASF) Specification", revision 01.20.06, chapter 10.
    enum Kind: String, CaseIterable {
        // At the top.
        case header = "75B22630-668E-11CF-A6D9-00AA0062CE6C"
        case data = "75B22636-668E-11CF-A6D9-00AA0062CE6C"
        case simpleIndex = "33000890-E5B1-11CF-89F4-00A0C90349CB"
        case index = "D6E229D3-35DA-11D1-9034-00A0C90349BE"
        case mediaObjectIndex = "FEB103F8-12AD-4C64-840F-2A1D2F7AD48C"
        case timecodeIndex = "3CB73FD0-0C4A-4803-953D-EDF7B6228F0C"
        // In the header.
        case fileProperties = "8CABDCA1-A947-11CF-8EE4-00C00C205365"
        case streamProperties = "B7DC0791-A9B7-11CF-8EE6-00C00C205365"
        case headerExtension = "5FBF03B5-A92E-11CF-8EE3-00C00C205365"
        case codecList = "86D15240-311D-11D0-A3A4-00A0C90348F6"
        case marker = "F487CD01-A951-11CF-8EE6-00C00C205365"
        case bitrateExclusion = "D6E229DC-35DA-11D1-9034-00A0C90349BE"
        case errorCorrection = "75B22635-668E-11CF-A6D9-00AA0062CE6C"
        case description = "75B22633-668E-11CF-A6D9-00AA0062CE6C"
        case extendedDescription = "D2D0A440-E307-11D2-97F0-00A0C95EA850"
        case streamBitrates = "7BF875CE-468D-11D1-8D82-006097C9A2B2"
        case signature = "2211B3FC-BD23-11D2-B4B7-00A0C955FC6E"
        case padding = "1806D474-CADF-4509-A4BA-9AABCB96AAE8"
        // In the extension of the header.
        case extendedStreamProperties = "14E6A5CB-C672-4332-8399-A96952065B5A"
        case advancedExclusion = "A08649CF-4775-4670-8A16-6E35357566CD"
        case streamPriority = "D4FED15B-88D3-454F-81F0-ED5C45999E24"
        case bandwidthSharing = "A69609E6-517B-11D2-B6AF-00C04FD908E9"
        case languages = "7C4346A9-EFE0-4BFC-B229-393EDE415C85"
        case metadata = "C5F8CBEA-5BAF-4877-8467-AA8C44FA4CCA"
        case metadataLibrary = "44231C94-9498-49D1-A141-1D134E457054"
        case indexParameters = "D6E229DF-35DA-11D1-9034-00A0C90349BE"
        case mediaObjectIndexParameters = "6B203BAD-3F11-48E4-ACA8-D7613DE2CFA7"
        case timecodeIndexParameters = "F55E496D-9797-4B5D-8C8B-604DFE9BFB24"
        case compatibility = "26F18B5D-4584-47EC-9F5F-0E651F0452C9"
        case indexPlaceholder = "D9AADE20-7C17-4F9C-BC28-8555DD98E2A2"

        static let indexes: Set<Kind> = [.simpleIndex, .index, .mediaObjectIndex, .timecodeIndex]
        static let inHeader: Set<Kind> = [
            .fileProperties, .streamProperties, .headerExtension, .codecList, .marker, .bitrateExclusion,
            .errorCorrection, .description, .extendedDescription, .streamBitrates, .signature, .padding,
        ]
        static let inExtension: Set<Kind> = [
            .extendedStreamProperties, .advancedExclusion, .streamPriority, .bandwidthSharing, .languages, .metadata,
            .metadataLibrary, .indexParameters, .mediaObjectIndexParameters, .timecodeIndexParameters, .compatibility,
            .indexPlaceholder, .padding,
        ]
        /// The objects that a header may have more than once.
        static let repeatable: Set<Kind> = [
            .streamProperties, .extendedStreamProperties, .bitrateExclusion, .advancedExclusion, .padding,
            .indexPlaceholder,
        ]
    }

    /// Returns the object at a position, or nil if there is no room for one.
    init?(_ bytes: [UInt8], at place: Int, offset: Int = 0) {
        guard place >= 0, place + Self.headSize <= bytes.count, let size: UInt64 = bytes.littleEndian(at: place + 16),
            let length = Int(exactly: size), length >= Self.headSize, length <= Int.max / 2
        else { return nil }
        kind = Self.kinds[Self.identifier(bytes, at: place)]
        content = (offset + place + Self.headSize)..<(offset + place + length)
    }

    /// Returns an identifier as it is written: its first three numbers are little-endian.
    static func identifier(_ bytes: [UInt8], at place: Int) -> String {
        guard place >= 0, place + 16 <= bytes.count else { return "" }
        let digits = Array("0123456789ABCDEF")
        let order = [3, 2, 1, 0, -1, 5, 4, -1, 7, 6, -1, 8, 9, -1, 10, 11, 12, 13, 14, 15]
        return order.reduce(into: "") { text, index in
            guard index >= 0 else { return text.append("-") }
            let byte = Int(bytes[place + index])
            text.append(digits[byte >> 4])
            text.append(digits[byte & 15])
        }
    }

    static let headSize = 24
    private static let kinds = Dictionary(uniqueKeysWithValues: Kind.allCases.map { ($0.rawValue, $0) })
}
