// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import TestSupport
import Testing

@testable import ImageDecoding

@Suite("Reduction while decoding")
struct ReductionTargetTests {
    let target = ReductionTarget(minimumWidth: 256, minimumHeight: 256)

    @Test(
        "Reduction by averages keeps four times the model's size",
        arguments: [(4000, 3000, 3, 2), (2047, 100, 1, 1), (65_000, 300, 63, 1)])
    func averages(width: Int, height: Int, horizontal: Int, vertical: Int) {
        let factors = target.averagingFactors(width: width, height: height)
        #expect(factors.horizontal == horizontal && factors.vertical == vertical)
    }
}

@Suite("Averages over blocks")
struct BlockAverageTests {
    @Test(arguments: [257, 514, 300, 1]) func `A last block of any height has the mean of its rows`(rows: Int) {
        let average = BlockAverage(width: 2, height: 600 + rows, bandCount: 1, factors: (2, 600))
        for _ in 0..<(600 + rows) { unsafe average.add([100, 100]) }
        #expect(average.finish() == [100, 100, 100, 100, 100, 100])
    }

    @Test("Averages over blocks include the rest of a row and of the rows")
    func rest() {
        let average = BlockAverage(width: 3, height: 3, bandCount: 3, factors: (2, 2))
        average.add([0, 0, 0, 10, 20, 30, 100, 100, 100])
        average.add([20, 40, 60, 10, 20, 30, 200, 200, 200])
        average.add([8, 8, 8, 12, 12, 12, 50, 60, 70])
        #expect(average.finish() == [10, 20, 30, 150, 150, 150, 10, 10, 10, 50, 60, 70])
        #expect(average.width == 2)
    }

    @Test("Averages of white rows are white, however many rows a block has", arguments: [1, 256, 257, 258, 600])
    func manyRows(count: Int) {
        let average = BlockAverage(width: 2, height: count, bandCount: 1, factors: (2, count))
        for _ in 0..<count { average.add([255, 255]) }
        #expect(average.finish() == [255, 255, 255])
    }

    @Test("Averages over blocks of every shape are the means of their levels, half a level rounded up")
    func allShapes() {
        var random = SplitMix64(state: 20)
        for width in 1...9 {
            for (horizontal, vertical) in [(1, 2), (2, 1), (2, 2), (3, 2), (5, 3), (8, 8), (4, 300)] {
                let rows = (0..<(vertical + 1)).map { _ in
                    (0..<(width * 3)).map { _ in UInt8.random(in: 0...255, using: &random) }
                }
                let average = BlockAverage(
                    width: width, height: rows.count, bandCount: 3, factors: (horizontal, vertical))
                for row in rows { average.add(row) }
                let means = Self.means(of: rows, horizontal: horizontal, vertical: vertical)
                #expect(average.finish() == means, "\(width) pixels in blocks of \(horizontal) x \(vertical)")
            }
        }
    }

    /// Returns the rounded means of RGB rows, computed by a simple loop.
    private static func means(of rows: [[UInt8]], horizontal: Int, vertical: Int) -> [UInt8] {
        let width = rows[0].count / 3
        var means: [UInt8] = []
        for top in stride(from: 0, to: rows.count, by: vertical) {
            for left in stride(from: 0, to: width, by: horizontal) {
                for band in 0..<3 {
                    let columns = left..<min(left + horizontal, width)
                    var sum = 0
                    var count = 0
                    for row in rows[top...].prefix(vertical) {
                        for column in columns { sum += Int(row[column * 3 + band]) }
                        count += columns.count
                    }
                    means.append(UInt8((sum * 2 + count) / (count * 2)))
                }
            }
        }
        return means
    }
}

@Suite("The renderings of one picture")
struct ViewAveragesTests {
    @Test("A picture with opacity is rendered over white, over black and without opacity")
    func opacity() throws {
        let averages = try ViewAverages(width: 2, height: 1, bandCount: 4, factors: (2, 1))
        averages.add([255, 0, 0, 0, 0, 100, 200, 255])
        #expect(try averages.finish().views == [[128, 178, 228], [0, 50, 100], [128, 50, 100]])
    }

    @Test("Renderings that differ by no more than two levels become one")
    func alike() throws {
        let averages = try ViewAverages(width: 1, height: 1, bandCount: 6, factors: (1, 1))
        averages.add([10, 20, 30, 12, 18, 30])
        #expect(try averages.finish().views == [[10, 20, 30]])
        let others = try ViewAverages(width: 1, height: 1, bandCount: 6, factors: (1, 1))
        others.add([10, 20, 30, 13, 20, 30])
        #expect(try others.finish().views == [[10, 20, 30], [13, 20, 30]])
    }

    @Test("With premultiplied colours, the rendering over white is the sum of colour and paper")
    func premultiplied() throws {
        let averages = try ViewAverages(width: 1, height: 1, bandCount: 4, isPremultiplied: true, factors: (1, 1))
        averages.add([100, 50, 0, 128])
        #expect(try averages.finish().views.first == [227, 177, 127])
        #expect(try averages.finish().views.contains([100, 50, 0]))
    }

    @Test("Premultiplied colours are also rendered divided by opacity, cut off at white")
    func divided() throws {
        let averages = try ViewAverages(width: 1, height: 1, bandCount: 4, isPremultiplied: true, factors: (1, 1))
        averages.add([20, 10, 100, 51])
        let views = try averages.finish().views
        // The colours without opacity, over white and over black.
        for view in [[100, 50, 255], [224, 214, 255], [20, 10, 51]] as [[UInt8]] { #expect(views.contains(view)) }
    }

    @Test("Renderings are averaged after they are made, so that black and white pixels become grey")
    func order() throws {
        // The means of the two bands of this row are equal.
        let averages = try ViewAverages(width: 2, height: 1, bandCount: 6, factors: (2, 1))
        averages.add([0, 0, 0, 128, 128, 128, 255, 255, 255, 128, 128, 128])
        #expect(try averages.finish().views == [[128, 128, 128]])
    }

    @Test func `A picture with more different renderings than may be judged is refused`() throws {
        let averages = try ViewAverages(width: 1, height: 1, bandCount: 30, factors: (1, 1))
        averages.add((0..<30).map { UInt8($0 * 8) })
        #expect(throws: DecodingFailure.self) { try averages.finish() }
        let alike = try ViewAverages(width: 1, height: 1, bandCount: 30, factors: (1, 1))
        alike.add((0..<27).map { UInt8($0 * 8) } + [0, 8, 16])
        #expect(try alike.finish().views.count == 9)
    }

    @Test("More renderings than any picture has are refused")
    func tooMany() {
        #expect(throws: DecodingFailure.self) {
            try ViewAverages(width: 1, height: 1, bandCount: 34, factors: (1, 1))
        }
    }
}
