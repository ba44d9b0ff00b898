// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPixelLoops
internal import Glibc

/// Averages blocks of pixels of a picture in which two by two pixels share a colour, from its levels.
///
/// Levels become colours of whole pixels first, which are cut off at black and white, and are averaged then.
@safe
final class SharedColorAverages {
    let width: Int
    private let sourceWidth: Int
    private let factors: (horizontal: Int, vertical: Int)
    private let isSmooth: Bool
    /// The distance of the rows of sums for red, green and blue.
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
    private var roughness: ColorRoughness

    /// - Parameters:
    ///   - factors: how many columns and rows make a block, each at least 1.
    ///   - isSmooth: whether colours are interpolated, or each pixel has its own one.
    init(width: Int, height: Int, factors: (horizontal: Int, vertical: Int), isSmooth: Bool) {
        let group = Int(CPIXELLOOPS_GROUP)
        sourceWidth = width
        self.width = (width + factors.horizontal - 1) / factors.horizontal
        self.factors = factors
        self.isSmooth = isSmooth
        step = (width + group - 1) / group * group
        sums = Array(repeating: 0, count: 3 * step)
        totals = Array(repeating: 0, count: 3 * step)
        window = Array(repeating: 0, count: 2 * width)
        room = Array(repeating: 0, count: 4 * (step + 4))
        line = Array(repeating: 0, count: 3 * self.width)
        averages.reserveCapacity(line.count * ((height + factors.vertical - 1) / factors.vertical))
        roughness = ColorRoughness(width: (width + 1) / 2, height: (height + 1) / 2)
    }

    /// Whether neighbouring colours differ so much that a program which does not interpolate may show another picture; to be
    /// asked after `finish`.
    var isRough: Bool { roughness.isRough }

    /// Adds the next row.
    func add(_ row: CPixelLoops_SharedRow) {
        unsafe CPixelLoops_add_shared_colors(row, sourceWidth, isSmooth, Self.weights, step, &room, &sums)
        // The second of two rows knows the colours below.
        if isSmooth, rowCount % 2 == 1 { unsafe roughness.add(row) }
        (rowCount, pendingRows, rowsInBlock) = (rowCount + 1, pendingRows + 1, rowsInBlock + 1)
        if rowsInBlock == factors.vertical {
            endBlock()
        } else if pendingRows == Self.mostRowsOfSums {
            collect()
        }
    }

    /// The averages as RGB pixels, with the last rows averaged over as many as there are.
    func finish() -> [UInt8] {
        if rowsInBlock > 0 { endBlock() }
        roughness.finish()
        return averages
    }

    private func collect() {
        unsafe CPixelLoops_collect(&sums, sums.count, &totals)
        pendingRows = 0
    }

    private func endBlock() {
        if pendingRows == rowsInBlock, factors.horizontal * rowsInBlock <= Self.mostRowsOfSums {
            unsafe CPixelLoops_average_sums_of_planes(
                sums, step, sourceWidth, factors.horizontal, rowsInBlock, &window, &line)
            unsafe sums.withUnsafeMutableBytes { unsafe _ = memset($0.baseAddress!, 0, $0.count) }
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
    /// Source: JFIF 1.02, "Conversion to and from RGB".
    private static let weights = CPixelLoops_Weights(
        offset: 0, luma: 8192, red: 11_485, green_blue: 2819, green_red: 5850, blue: 14_516)
}

/// How far neighbouring colours of a picture are apart, by 64 × 64 parts.
private struct ColorRoughness {
    private let width: Int
    private let rowsOfPart: Int
    private let columnsOfPart: Int
    private var blue: [UInt16]
    private var red: [UInt16]
    private var rowCount = 0
    private var roughParts = 0

    init(width: Int, height: Int) {
        self.width = width
        // So many steps, each of up to twice 255, fit into sums of 16 bits.
        rowsOfPart = max(1, min(128, height / 64))
        columnsOfPart = max(1, width / 64)
        blue = Array(repeating: 0, count: width)
        red = Array(repeating: 0, count: width)
    }

    var isRough: Bool { roughParts >= Self.leastParts }

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
            let (blue, red) = (Float(blueSum) / count, Float(redSum) / count)
            // Interpolated colours are made of three neighbours, with quarters of what these differ by.
            let most = max(1.772 * blue, 1.402 * red, 0.344 * blue + 0.714 * red) / 4
            if most >= Self.leastLevels { roughParts += 1 }
            start = end
        }
        for column in 0..<width { (blue[column], red[column]) = (0, 0) }
        rowCount = 0
    }

    /// Differences below these bounds are not visible; frames of videos have the same bounds.
    private static let leastLevels: Float = 8
    private static let leastParts = 8
}
