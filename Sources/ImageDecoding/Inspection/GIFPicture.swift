// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// A picture of a GIF file, as its blocks describe it.
struct GIFPicture {
    /// The columns and rows of the screen on which it is drawn.
    let columns: Range<Int>
    let rows: Range<Int>
    /// The flags of its controls, and where they lie in the file.
    let controls: [(position: Int, byte: UInt8)]
    /// A number that none of its pixels has; nil where there is none, or where it was not looked for.
    let freeNumber: UInt8?

    private var flags: UInt8 { controls.last?.byte ?? 0 }
    /// How it is taken away before the next picture is drawn.
    var disposal: Disposal? { Disposal(rawValue: flags >> 2 & 7) }
    /// Whether one of its numbers is no colour.
    var hasTransparency: Bool { flags & 1 == 1 }

    /// Source: GIF89a specification, section 23.
    enum Disposal: UInt8 {
        case none, keep, restoreBackground, restorePrevious
    }

    /// Whether nothing is left to see of another picture's place, before this picture or after it.
    func covers(_ other: GIFPicture) -> Bool {
        !hasTransparency && flags >> 2 & 7 <= Disposal.restoreBackground.rawValue
            && columns.contains(all: other.columns) && rows.contains(all: other.rows)
    }

    /// The picture's controls with a transparent number, which none of its pixels has.
    ///
    /// Without such a number, libnsgif fills the place of a picture that is taken away with the background colour.
    func controls(withTransparentNumber number: UInt8) -> [(position: Int, bytes: [UInt8])] {
        controls.flatMap { [($0.position, [$0.byte | 1]), ($0.position + 3, [number])] }
    }
}

extension Range<Int> {
    fileprivate func contains(all other: Range<Int>) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
