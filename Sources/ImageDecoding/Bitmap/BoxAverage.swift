// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Averages whole blocks of pixels while rows come in, so that memory is needed for the reduced picture only.
struct BoxAverage {
    let outputWidth: Int
    private let width: Int
    private let bandCount: Int
    private let horizontal: Int
    private let vertical: Int
    private var sums: [UInt64]
    private var rowsInBlock = 0
    private var output: [UInt8] = []

    var outputHeight: Int { output.count / (outputWidth * bandCount) }

    init(width: Int, bandCount: Int, horizontal: Int, vertical: Int) {
        self.width = width
        self.bandCount = bandCount
        self.horizontal = horizontal
        self.vertical = vertical
        outputWidth = (width + horizontal - 1) / horizontal
        sums = Array(repeating: 0, count: outputWidth * bandCount)
    }

    mutating func add(row: [UInt8]) {
        for pixel in 0..<width {
            let block = pixel / horizontal * bandCount
            // Colours count by their opacity, so that invisible ones do not show.
            let weight = bandCount == 4 ? UInt64(row[pixel * 4 + 3]) : 255
            for band in 0..<3 {
                sums[block + band] += UInt64(row[pixel * bandCount + band]) * weight
            }
            if bandCount == 4 { sums[block + 3] += weight }
        }
        rowsInBlock += 1
        if rowsInBlock == vertical { emit() }
    }

    /// The averaged pixels, with the last rows and columns averaged over what there is of them.
    mutating func finish() -> [UInt8] {
        if rowsInBlock > 0 { emit() }
        return output
    }

    private mutating func emit() {
        for block in 0..<outputWidth {
            let pixels = UInt64(min(horizontal, width - block * horizontal) * rowsInBlock)
            let weight = bandCount == 4 ? sums[block * 4 + 3] : pixels * 255
            for band in 0..<3 {
                let sum = sums[block * bandCount + band]
                output.append(weight == 0 ? 0 : UInt8((sum + weight / 2) / weight))
            }
            if bandCount == 4 { output.append(UInt8((weight + pixels / 2) / pixels)) }
        }
        sums = Array(repeating: 0, count: sums.count)
        rowsInBlock = 0
    }
}
