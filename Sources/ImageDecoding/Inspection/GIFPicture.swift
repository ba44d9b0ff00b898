// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A picture of a GIF file, as its blocks describe it.
struct GIFPicture {
    /// The columns and rows of the screen on which it is drawn.
    let columns: Range<Int>
    let rows: Range<Int>
    /// The controls before it, of which the last one holds.
    let controls: [GIFControl]
    /// A number that none of its pixels has; nil where there is none, or where it was not looked for.
    let freeNumber: UInt8?

    /// How it is taken away before the next picture is drawn.
    var disposal: UInt8 { controls.last?.disposal ?? GIFControl.leaves }
    /// Whether one of its numbers is no colour.
    var hasTransparency: Bool { controls.last?.hasTransparency == true }

    /// Whether nothing is left to see of another picture's place, before this picture or after it.
    func covers(_ other: GIFPicture) -> Bool {
        !hasTransparency && disposal <= GIFControl.restoresBackground
            && columns.contains(all: other.columns) && rows.contains(all: other.rows)
    }

    /// The picture's controls with a transparent number, which none of its pixels has.
    ///
    /// Without such a number, libnsgif fills the place of a picture that is taken away with the background colour.
    func controls(withTransparentNumber number: UInt8) -> [(position: Int, bytes: [UInt8])] {
        controls.flatMap { [($0.position, [$0.flags | GIFControl.transparency]), ($0.position + 3, [number])] }
    }
}

extension Range<Int> {
    fileprivate func contains(all other: Range<Int>) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}

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
