// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A kind of sensitive content.
///
/// A new case needs a row in each `switch` of this file and of `InterventionKit`'s `ContentTypeRules`, and a constant
/// of the public type. The compiler reports each `switch` without a row.
package enum ContentType: String, Sendable, CaseIterable {
    /// Nudity or sexually explicit material.
    case sexuallyExplicit
    /// Gore or graphic violence.
    case goreOrViolence

    /// The names of all content types, for messages.
    package static func names(joinedBy separator: String) -> String {
        allCases.map(\.rawValue).joined(separator: separator)
    }
}

extension ContentType: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ContentType: Codable {
    /// Reads the name of a content type.
    ///
    /// - Throws: `UnknownName`.
    package init(from decoder: any Decoder) throws {
        guard let type = ContentType(rawValue: try decoder.singleValueContainer().decode(String.self)) else {
            throw UnknownName()
        }
        self = type
    }

    /// The error for a name that no content type has.
    package struct UnknownName: Error, CustomStringConvertible {
        package var description: String {
            "contentType must be one of \(ContentType.names(joinedBy: ", "))"
        }
    }
}

extension ContentType {
    /// The text of the test pattern that stands for this type.
    package var testPatternText: String { "sensitive-content-analysis:test:\(rawValue)" }

    /// The rows of the QR code of ``testPatternText``, from top to bottom; the last column is the lowest bit.
    ///
    /// Source: version 4, error correction level M, made by segno 1.6.
    package var testPatternRows: [UInt64] {
        switch self {
        case .sexuallyExplicit:
            [
                0x1fcb5767f, 0x104a35941, 0x175670e5d, 0x17512475d, 0x175b79a5d, 0x105b82d41, 0x1fd55557f,
                0x001d57800, 0x17caca77c, 0x0eaadbacd, 0x194ce80ce, 0x0a1ebfe3f, 0x1c47737b0, 0x13212cacd,
                0x116375dae, 0x0a99a0d5f, 0x11c4f85b8, 0x1a861324b, 0x084525862, 0x15ae40f8d, 0x04c0c44b9,
                0x102ef1603, 0x1572ce586, 0x1313539ac, 0x14dcda7f8, 0x001f4fd17, 0x1fc0b9f58, 0x105c0db1c,
                0x1757329f2, 0x1755acb1f, 0x1759b4e4c, 0x104ce0a8c, 0x1fd0b83b2,
            ]
        case .goreOrViolence:
            [
                0x1fd68c87f, 0x1058d6941, 0x1751e2a5d, 0x174255b5d, 0x175a3085d, 0x1042ba341, 0x1fd55557f,
                0x0000b4200, 0x13fe58397, 0x1b91aa6bc, 0x0161a1ec7, 0x078687047, 0x0468a8d59, 0x0d3ecf2aa,
                0x136b27828, 0x1ba71101e, 0x124d317f1, 0x1b2f2b471, 0x1effbeeb9, 0x0e9a2336e, 0x01dc16d0b,
                0x1f02c0e36, 0x1374077db, 0x173d2b6a5, 0x1ef3011f8, 0x001aecd14, 0x1fd8eb35a, 0x105d7cf1d,
                0x17527affb, 0x175e14525, 0x174aee897, 0x104f4302f, 0x1fd32a764,
            ]
        }
    }
}
