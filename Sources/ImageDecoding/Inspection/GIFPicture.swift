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
