// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops

/// The differences between neighbouring colours of a picture, summed in each of 64 × 64 parts of it.
struct ColorRoughness {
    private let width: Int
    private let rowsOfPart: Int
    private let columnsOfPart: Int
    private var blue: [UInt16]
    private var red: [UInt16]
    private var rowCount = 0
    private var roughParts = 0

    /// - Parameters:
    ///   - width, height: the number of colours in each direction.
    init(width: Int, height: Int) {
        self.width = width
        // The sums of 128 rows of differences, each of up to twice 255, fit into 16 bits.
        rowsOfPart = max(1, min(128, height / Int(CPIXELLOOPS_ROUGH_PARTS)))
        columnsOfPart = max(1, width / Int(CPIXELLOOPS_ROUGH_PARTS))
        blue = Array(repeating: 0, count: width)
        red = Array(repeating: 0, count: width)
    }

    /// Whether enough parts are rough; valid after `finish`.
    var isRough: Bool { roughParts >= Int(CPIXELLOOPS_LEAST_ROUGH_PARTS) }

    /// Adds a row of colours, compared with the next row.
    mutating func add(_ row: CPixelLoops_SharedRow) {
        unsafe CPixelLoops_add_steps(row.blue.0, row.blue.1, width, &blue)
        unsafe CPixelLoops_add_steps(row.red.0, row.red.1, width, &red)
        rowCount += 1
        if rowCount == rowsOfPart { endParts() }
    }

    /// Ends the last parts, which may have fewer rows.
    mutating func finish() {
        if rowCount > 0 { endParts() }
    }

    private mutating func endParts() {
        var start = 0
        while start < width {
            let end = min(width, start + columnsOfPart)
            let count = Float((end - start) * rowCount)
            var (blueSum, redSum) = (0, 0)
            for column in start..<end {
                blueSum += Int(blue[column])
                redSum += Int(red[column])
            }
            if CPixelLoops_is_rough(Float(blueSum) / count, Float(redSum) / count) { roughParts += 1 }
            start = end
        }
        for column in 0..<width { (blue[column], red[column]) = (0, 0) }
        rowCount = 0
    }
}
