// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops
internal import Glibc

/// Averages blocks of whole pixels row by row, so memory is needed only for the reduced picture.
///
/// Rows must hold the levels that a viewer shows. A sender could choose the result of an average that is taken before
/// colours are converted, or before levels are clipped at black and white.
@safe
final class BlockAverage {
    let width: Int
    private let bandCount: Int
    private let sourceWidth: Int
    private let horizontal: Int
    private let vertical: Int
    /// The sums of the block's latest rows, as many as fit into 16 bits; `totals` holds those of its earlier rows.
    private var sums: [UInt16]
    private var totals: [UInt32]
    private var pendingRows = 0
    private var rowsInBlock = 0
    private var line: [UInt8]
    private var averages: [UInt8] = []

    /// - Parameters:
    ///   - bandCount: the number of bytes of a pixel, 1 or 3.
    ///   - factors: the number of columns and rows of a block, each at least 1.
    init(width: Int, height: Int, bandCount: Int, factors: (horizontal: Int, vertical: Int)) {
        sourceWidth = width
        self.bandCount = bandCount
        (horizontal, vertical) = factors
        self.width = (width + horizontal - 1) / horizontal
        let isCopy = horizontal == 1 && vertical == 1
        sums = isCopy ? [] : Array(repeating: 0, count: width * bandCount)
        totals = isCopy ? [] : Array(repeating: 0, count: width * bandCount)
        line = isCopy ? [] : Array(repeating: 0, count: self.width * bandCount)
        averages.reserveCapacity(self.width * bandCount * ((height + vertical - 1) / vertical))
    }

    /// Adds the next row, whose number of pixels is the width of the picture.
    func add(_ row: UnsafePointer<UInt8>) {
        let count = sourceWidth * bandCount
        guard !sums.isEmpty else {
            unsafe averages.append(contentsOf: UnsafeBufferPointer(start: row, count: count))
            return
        }
        unsafe CPixelLoops_add_row(row, pendingRows == 0, count, &sums)
        (pendingRows, rowsInBlock) = (pendingRows + 1, rowsInBlock + 1)
        if rowsInBlock == vertical {
            endBlock()
        } else if pendingRows == Self.mostRowsOfSums {
            collect()
        }
    }

    /// Returns the averages as RGB pixels; the last block may have fewer rows.
    func finish() -> [UInt8] {
        if rowsInBlock > 0 { endBlock() }
        guard bandCount == 1 else { return averages }
        return unsafe [UInt8](unsafeUninitializedCapacity: averages.count * 3) { pixels, count in
            for (index, level) in averages.enumerated() {
                for band in 0..<3 { unsafe pixels[index * 3 + band] = level }
            }
            count = averages.count * 3
        }
    }

    private func collect() {
        guard pendingRows > 0 else { return }
        unsafe CPixelLoops_collect(sums, sums.count, &totals)
        pendingRows = 0
    }

    private func endBlock() {
        if bandCount == 3, pendingRows == rowsInBlock, horizontal * rowsInBlock <= Self.largestBlockOfSums {
            unsafe CPixelLoops_average_sums(sums, sourceWidth, horizontal, rowsInBlock, &line)
            averages.append(contentsOf: line)
            (pendingRows, rowsInBlock) = (0, 0)
            return
        }
        collect()
        unsafe CPixelLoops_average(totals, sourceWidth, bandCount, horizontal, rowsInBlock, &line)
        averages.append(contentsOf: line)
        unsafe totals.withUnsafeMutableBytes { unsafe _ = memset($0.baseAddress!, 0, $0.count) }
        rowsInBlock = 0
    }

    private static let mostRowsOfSums = 257
    private static let largestBlockOfSums = 65_536
}
