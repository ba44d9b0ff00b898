// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@Suite("The signature of a picture")
struct FrameSignatureTests {
    @Test("The averages and differences of each block are those of its pixels, in 1/64 of a level")
    func known() throws {
        // Columns of 10 and 20 by turns in red, a level for each block of rows in green, rows of 0 and 255 in blue.
        var pixels: [UInt8] = []
        for y in 0..<64 {
            for x in 0..<64 { pixels += [x % 2 == 0 ? 10 : 20, UInt8(y / 2), y % 2 == 0 ? 255 : 0] }
        }
        let signature = try #require(FrameSignature(views: [pixels], width: 64, height: 64))
        let count = FrameSignature.blockCount
        #expect(signature.averages.count == 3 * count && signature.details.count == 6 * count)
        #expect(signature.averages[..<count].allSatisfy { $0 == 15 * 64 })
        #expect(signature.averages[count..<(2 * count)].enumerated().allSatisfy { $1 == UInt16($0 / 32 * 64) })
        #expect(signature.averages[(2 * count)...].allSatisfy { $0 == 255 * 32 })
        // Each column differs from the column before it by 10, and the first has none before it.
        #expect(signature.details[0] == 5 * 64 && signature.details[1] == 10 * 64)
        #expect(signature.details[count..<(3 * count)].allSatisfy { $0 == 0 })
        // The two rows of a block of green are even, and differ from the block above by a level.
        #expect(signature.details[3 * count] == 0 && signature.details[4 * count - 1] == 32)
        // Each row of blue differs from the row before it by 255, and the first has none before it.
        #expect(signature.details[(4 * count)..<(5 * count)].allSatisfy { $0 == 0 })
        #expect(signature.details[5 * count] == 255 * 32 && signature.details[6 * count - 1] == 255 * 64)
    }

    @Test("A picture with fewer pixels than blocks has a signature as well", arguments: [(1, 1), (31, 2), (3, 100)])
    func small(width: Int, height: Int) throws {
        let view = [UInt8](repeating: 9, count: width * height * 3)
        let signature = try #require(FrameSignature(views: [view, view], width: width, height: height))
        #expect(signature.averages == Array(repeating: 9 * 64, count: 6 * FrameSignature.blockCount))
    }

    @Test("A view of another size than the picture has no signature")
    func otherSize() {
        #expect(FrameSignature(views: [[1, 2, 3]], width: 2, height: 1) == nil)
        #expect(FrameSignature(views: [[]], width: 0, height: 1) == nil)
    }
}
