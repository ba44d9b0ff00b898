// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import Testing

@Suite("Pixels")
struct PixelTests {
    @Test(
        "A picture that does not fit its memory is refused",
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

    @Test("A picture that fills its memory exactly is accepted, also with a last row without padding")
    func exactDimensions() throws {
        let storage = ArrayPixelStorage(Array(repeating: 0, count: 48))
        #expect(try PixelImage(width: 4, height: 4, bytesPerRow: 12, storage: storage).width == 4)
        #expect(try PixelImage(width: 2, height: 4, bytesPerRow: 14, storage: storage).height == 4)
    }

    @Test("An opaque picture has one view, without its alpha band")
    func opaque() {
        #expect(BackgroundComposer.views(of: [1, 2, 3, 255, 4, 5, 6, 253], bandCount: 4).count == 1)
        #expect(BackgroundComposer.views(of: [1, 2, 3, 255], bandCount: 4) == [[1, 2, 3]])
        #expect(BackgroundComposer.views(of: [1, 2, 3], bandCount: 3) == [[1, 2, 3]])
    }

    @Test("A transparent picture has a view over white and one over black")
    func transparent() {
        let views = BackgroundComposer.views(of: [100, 100, 100, 0, 10, 200, 30, 128, 7, 8, 9, 255], bandCount: 4)
        #expect(views == [[255, 255, 255, 132, 227, 142, 7, 8, 9], [0, 0, 0, 5, 100, 15, 7, 8, 9]])
    }

    @Test("Premultiplied colours above their opacity are shown as compositors show them", arguments: [UInt8(0), 1])
    func premultiplied(alpha: UInt8) throws {
        let layout = try #require(PixelLayout(width: 1, height: 1, bytesPerRow: 4, format: .rgba32Premultiplied))
        let views = unsafe [UInt8]([30, 120, 200, alpha]).withUnsafeBytes {
            unsafe BackgroundComposer.views(of: layout, in: $0)
        }
        #expect(views == [[255, 255, 255], [30, 120, 200]])
    }

    @Test func `Valid premultiplied pixels are composed as straight pixels are, apart from rounding`() throws {
        for alpha in stride(from: UInt8(5), through: 250, by: 49) {
            let straight: [UInt8] = [10, 130, 250]
            let multiplied = straight.map { UInt8((Int($0) * Int(alpha) + 127) / 255) }
            func views(_ pixels: [UInt8], _ format: AnalysisCore.PixelFormat) throws -> [[UInt8]] {
                let layout = try #require(PixelLayout(width: 1, height: 1, bytesPerRow: 4, format: format))
                return unsafe (pixels + [alpha]).withUnsafeBytes { unsafe BackgroundComposer.views(of: layout, in: $0) }
            }
            let (first, second) = (try views(straight, .rgba32), try views(multiplied, .rgba32Premultiplied))
            for (one, other) in zip(first.joined(), second.joined()) { #expect(abs(Int(one) - Int(other)) <= 1) }
        }
    }
}
