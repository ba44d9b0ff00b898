// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@Suite("Pixels")
struct PixelTests {
    @Test(
        "a picture that does not fit its memory is refused",
        arguments: [
            (0, 1, 3, 0), (1, 0, 3, 0), (-1, 1, 3, 0), (4, 4, 11, 0), (4, 4, 12, 1), (4, 5, 12, 0), (5, 4, 15, 0),
            (4, 4, 12, -1), (Int.max, 1, 3, 0), (1, Int.max, Int.max, 0), (1, 1, 3, Int.max),
        ])
    func badDimensions(width: Int, height: Int, bytesPerRow: Int, offset: Int) {
        let storage = ArrayPixelStorage(Array(repeating: 0, count: 48))
        #expect(throws: AnalysisFailure.self) {
            try PixelImage(width: width, height: height, bytesPerRow: bytesPerRow, offset: offset, storage: storage)
        }
    }

    @Test("a picture that fills its memory exactly is accepted, also with a last row without padding")
    func exactDimensions() throws {
        let storage = ArrayPixelStorage(Array(repeating: 0, count: 48))
        #expect(try PixelImage(width: 4, height: 4, bytesPerRow: 12, storage: storage).width == 4)
        #expect(try PixelImage(width: 2, height: 4, bytesPerRow: 14, storage: storage).height == 4)
    }

    @Test("an opaque picture has one view, without its alpha band")
    func opaque() {
        #expect(BackgroundComposer.views(of: [1, 2, 3, 255, 4, 5, 6, 253], bandCount: 4).count == 1)
        #expect(BackgroundComposer.views(of: [1, 2, 3, 255], bandCount: 4) == [[1, 2, 3]])
        #expect(BackgroundComposer.views(of: [1, 2, 3], bandCount: 3) == [[1, 2, 3]])
    }

    @Test("a transparent picture has a view over white and one over black")
    func transparent() {
        let views = BackgroundComposer.views(of: [100, 100, 100, 0, 10, 200, 30, 128, 7, 8, 9, 255], bandCount: 4)
        #expect(views == [[255, 255, 255, 132, 227, 142, 7, 8, 9], [0, 0, 0, 5, 100, 15, 7, 8, 9]])
    }
}
