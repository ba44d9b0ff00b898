// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A picture of a GIF file, as described by its blocks.
struct GIFPicture {
    /// The columns and rows of the screen that the picture covers.
    let columns: Range<Int>
    let rows: Range<Int>
    /// The graphic controls before the picture; the last one applies.
    let controls: [GIFControl]
    /// A colour number that no pixel has; nil if there is none or it was not searched for.
    let freeNumber: UInt8?

    /// The disposal method, by which the picture is removed before the next one is drawn.
    var disposal: UInt8 { controls.last?.disposal ?? GIFControl.leaves }
    /// Whether one of its colour numbers is transparent.
    var hasTransparency: Bool { controls.last?.hasTransparency == true }

    /// Returns whether this picture hides the whole area of another picture, also after this picture is removed.
    func covers(_ other: GIFPicture) -> Bool {
        !hasTransparency && disposal <= GIFControl.restoresBackground
            && columns.contains(all: other.columns) && rows.contains(all: other.rows)
    }

    /// Returns the byte changes that give the picture's controls a transparent number, which no pixel may have.
    ///
    /// Without such a number, libnsgif fills the area of a removed picture with the background colour.
    func controls(withTransparentNumber number: UInt8) -> [(position: Int, bytes: [UInt8])] {
        controls.flatMap { [($0.position, [$0.flags | GIFControl.transparency]), ($0.position + 3, [number])] }
    }
}

extension Range<Int> {
    fileprivate func contains(all other: Range<Int>) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
