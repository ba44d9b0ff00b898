// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The flags of a graphic control, which sets how the next picture of a GIF file is drawn and removed.
///
/// Source: GIF89a specification, section 23.
struct GIFControl {
    /// The position of the flags in the file, in bytes.
    let position: Int
    let flags: UInt8

    /// The disposal method of the picture, 0 to 7.
    var disposal: UInt8 { flags >> 2 & 7 }
    /// Whether one of the picture's colour numbers is transparent.
    var hasTransparency: Bool { flags & Self.transparency != 0 }
    /// Whether some programs remove the picture.
    var takesAway: Bool { disposal > Self.keeps }
    /// The same flags with the disposal method that keeps the picture.
    var keeping: UInt8 { flags & ~(7 << 2) | Self.keeps << 2 }

    /// The flag of a picture with a transparent number.
    static let transparency: UInt8 = 1

    // MARK: Ways of disposal

    static let leaves: UInt8 = 0
    static let keeps: UInt8 = 1
    static let restoresBackground: UInt8 = 2
    /// The highest disposal method about which programs agree; some files have 4 for 3, "restore to previous".
    static let highest: UInt8 = 4
}
