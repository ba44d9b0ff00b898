// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops
internal import Glibc

/// Averages blocks of a picture in which up to two by two pixels share a colour.
///
/// Levels first become colours of whole pixels, which are clipped at black and white. Then the colours are averaged.
@safe
final class SharedColorAverages {
    let width: Int
    private let sourceWidth: Int
    private let factors: (horizontal: Int, vertical: Int)
    private let isSmooth: Bool
    /// The offset in `sums` from the red sums to the green sums, and from these to the blue sums.
    private let step: Int
    private var sums: [UInt16]
    private var totals: [UInt32]
    private var window: [UInt16]
    private var room: [Int16]
    private var line: [UInt8]
    private var averages: [UInt8] = []
    private var pendingRows = 0
    private var rowsInBlock = 0
    private var rowCount = 0
    private let height: Int
    private var roughness: ColorRoughness?

    /// - Parameters:
    ///   - factors: the number of columns and rows of a block, each at least 1.
    ///   - isSmooth: whether colours are interpolated; otherwise each pixel has the shared colour.
    init(width: Int, height: Int, factors: (horizontal: Int, vertical: Int), isSmooth: Bool) {
        let group = Int(CPIXELLOOPS_GROUP)
        sourceWidth = width
        self.height = height
        self.width = (width + factors.horizontal - 1) / factors.horizontal
        self.factors = factors
        self.isSmooth = isSmooth
        step = (width + group - 1) / group * group
        sums = Array(repeating: 0, count: 3 * step)
        totals = Array(repeating: 0, count: 3 * step)
        window = Array(repeating: 0, count: 2 * width)
        room = Array(repeating: 0, count: 3 * (step + 4))
        line = Array(repeating: 0, count: 3 * self.width)
        averages.reserveCapacity(line.count * ((height + factors.vertical - 1) / factors.vertical))
    }

    /// Whether colours vary so much that programs without interpolation may show another picture; valid after `finish`.
    var isRough: Bool { roughness?.isRough ?? false }

    /// Whether a row was added.
    var hasRows: Bool { rowCount > 0 }

    /// Adds the next row.
    func add(_ row: CPixelLoops_SharedRow) {
        unsafe CPixelLoops_add_shared_colors(
            row, sourceWidth, isSmooth, pendingRows == 0, Self.weights, step, &room, &sums)
        if isSmooth { unsafe compareNeighbors(in: row) }
        (rowCount, pendingRows, rowsInBlock) = (rowCount + 1, pendingRows + 1, rowsInBlock + 1)
        if rowsInBlock == factors.vertical {
            endBlock()
        } else if pendingRows == Self.mostRowsOfSums {
            collect()
        }
    }

    private func compareNeighbors(in row: CPixelLoops_SharedRow) {
        let (columns, rows) = unsafe (Int(row.columns), Int(row.rows))
        // Only the last of the rows that share colours comes with the colours below.
        guard columns * rows > 1, rowCount % rows == rows - 1 else { return }
        if roughness == nil {
            roughness = ColorRoughness(
                width: (sourceWidth + columns - 1) / columns, height: (height + rows - 1) / rows)
        }
        unsafe roughness?.add(row)
    }

    /// Returns the averages as RGB pixels; the last block may have fewer rows.
    func finish() -> [UInt8] {
        if rowsInBlock > 0 { endBlock() }
        roughness?.finish()
        return averages
    }

    private func collect() {
        unsafe CPixelLoops_collect(sums, sums.count, &totals)
        pendingRows = 0
    }

    private func endBlock() {
        if pendingRows == rowsInBlock, factors.horizontal * rowsInBlock <= Self.mostRowsOfSums {
            unsafe CPixelLoops_average_sums_of_planes(
                sums, step, sourceWidth, factors.horizontal, rowsInBlock, &window, &line)
            averages.append(contentsOf: line)
            (pendingRows, rowsInBlock) = (0, 0)
            return
        }
        collect()
        unsafe CPixelLoops_average_planes(totals, step, sourceWidth, factors.horizontal, rowsInBlock, &line)
        averages.append(contentsOf: line)
        unsafe totals.withUnsafeMutableBytes { unsafe _ = memset($0.baseAddress!, 0, $0.count) }
        rowsInBlock = 0
    }

    private static let mostRowsOfSums = 257
    /// The factors of the conversion to RGB, in 1/8192; source: JFIF 1.02, "Conversion to and from RGB".
    private static let weights = CPixelLoops_Weights(
        offset: 0, luma: 8192, red: 11_485, green_blue: 2819, green_red: 5850, blue: 14_516)
}
