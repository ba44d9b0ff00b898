// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ImageDecoding

@Suite("Reduction while decoding")
struct ReductionTargetTests {
    let target = ReductionTarget(minimumWidth: 256, minimumHeight: 256)

    @Test(
        "by the JPEG decoder keeps both sides at the model's size",
        arguments: [(4000, 3000, 8), (2048, 2048, 8), (2047, 4000, 4), (1024, 600, 2), (511, 4000, 1), (10, 10, 1)])
    func denominators(width: Int, height: Int, expected: Int) {
        #expect(target.jpegDenominator(width: width, height: height) == expected)
    }

    @Test(
        "by averages keeps four times the model's size",
        arguments: [(4000, 3000, 3, 2), (2047, 100, 1, 1), (65_000, 300, 63, 1)])
    func averages(width: Int, height: Int, horizontal: Int, vertical: Int) {
        let factors = target.averagingFactors(width: width, height: height)
        #expect(factors.horizontal == horizontal && factors.vertical == vertical)
    }
}

@Suite("Averages over blocks")
struct BoxAverageTests {
    @Test("include the rest of a row and of the rows")
    func rest() {
        var average = BoxAverage(width: 3, bandCount: 3, horizontal: 2, vertical: 2)
        average.add(row: [0, 0, 0, 10, 20, 30, 100, 100, 100])
        average.add(row: [20, 40, 60, 10, 20, 30, 200, 200, 200])
        average.add(row: [8, 8, 8, 12, 12, 12, 50, 60, 70])
        #expect(average.finish() == [10, 20, 30, 150, 150, 150, 10, 10, 10, 50, 60, 70])
        #expect(average.outputWidth == 2 && average.outputHeight == 2)
    }

    @Test("do not show the colours of invisible pixels")
    func alpha() {
        var average = BoxAverage(width: 2, bandCount: 4, horizontal: 2, vertical: 1)
        average.add(row: [255, 0, 0, 0, 0, 100, 200, 255])
        #expect(average.finish() == [0, 100, 200, 128])
    }
}
