// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The flags of a control, which says how the next picture of a GIF file is drawn and taken away.
///
/// Source: GIF89a specification, section 23.
struct GIFControl {
    /// Where the flags lie in the file, in bytes.
    let position: Int
    let flags: UInt8

    /// How the picture is taken away, 0 to 7.
    var disposal: UInt8 { flags >> 2 & 7 }
    /// Whether one of the picture's numbers is no colour.
    var hasTransparency: Bool { flags & Self.transparency != 0 }
    /// Whether some program takes the picture away.
    var takesAway: Bool { disposal > Self.keeps }
    /// The flags of a picture that stays.
    var keeping: UInt8 { flags & ~(7 << 2) | Self.keeps << 2 }

    /// The flag of a picture with a transparent number.
    static let transparency: UInt8 = 1

    // MARK: Ways of disposal

    static let leaves: UInt8 = 0
    static let keeps: UInt8 = 1
    static let restoresBackground: UInt8 = 2
    /// The highest value for which programs agree: some files have it where 3 is meant, for the picture before.
    static let highest: UInt8 = 4
}
