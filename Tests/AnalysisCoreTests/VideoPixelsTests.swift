// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import AnalysisCore

/// The reduction and comparison of frames that apps pass, against arithmetic on single pixels.
@Suite struct VideoPixelsTests {
    /// A frame of random samples, in memory with padding.
    struct Frame {
        let width: Int
        let height: Int
        var planes: [[UInt8]]
        var bytesPerRow: [Int]

        init(_ format: VideoPixelFormat, width: Int, height: Int, seed: UInt64 = 1, isSmooth: Bool = true) {
            var generator = SplitMix64(state: seed)
            (self.width, self.height) = (width, height)
            (planes, bytesPerRow) = ([], [])
            for index in 0..<format.planeCount {
                let size = format.size(ofPlane: index, width: width, height: height)
                let rowBytes = size.width * format.bytesPerSample(ofPlane: index) + 5
                var level = Int(generator.next() % 256)
                planes.append(
                    (0..<(rowBytes * size.height)).map { _ in
                        // Neighbours differ little, so that interpolated and repeated colours look the same.
                        level =
                            isSmooth
                            ? min(255, max(0, level + Int(generator.next() % 5) - 2)) : Int(generator.next() % 256)
                        return UInt8(level)
                    })
                bytesPerRow.append(rowBytes)
            }
        }

        func pixels(
            _ format: VideoPixelFormat, crop: VideoPixels.Crop? = nil, quarterTurns: Int = 0,
            matrix: VideoPixels.ColorMatrix? = nil
        ) -> VideoPixels? {
            VideoPixels(
                format: format, width: width, height: height,
                planes: zip(planes, bytesPerRow).map {
                    VideoPixels.Plane(storage: ArrayPixelStorage($0), bytesPerRow: $1)
                }, crop: crop, quarterTurns: quarterTurns, matrix: matrix)
        }

        /// The colour of a pixel by the formulas of the ITU, with the nearest sample of each colour.
        func color(_ x: Int, _ y: Int, isFull: Bool, _ red: Double, _ blue: Double) -> [Double] {
            let luma = Double(planes[0][y * bytesPerRow[0] + x])
            let place = y / 2 * bytesPerRow[1] + x / 2
            let (u, v) = (Double(planes[1][place]) - 128, Double(planes[2][y / 2 * bytesPerRow[2] + x / 2]) - 128)
            let light = isFull ? luma : (luma - 16) * 255 / 219, unit = isFull ? 1 : 255.0 / 224
            let green = 1 - red - blue
            let colors = [
                light + 2 * (1 - red) * v * unit,
                light - 2 * blue * (1 - blue) / green * u * unit - 2 * red * (1 - red) / green * v * unit,
                light + 2 * (1 - blue) * u * unit,
            ]
            return colors.map { min(255, max(0, $0.rounded())) }
        }
    }

    static func bytes(_ image: PixelImage) -> [UInt8] { image.storage.withBytes { Array($0) } }

    @Test(arguments: [VideoPixelFormat.i420Video, .i420Full], VideoPixels.ColorMatrix.allCases)
    func `A reduced I420 frame has the means of its pixels in red, green and blue`(
        _ format: VideoPixelFormat, _ matrix: VideoPixels.ColorMatrix
    ) throws {
        let frame = Frame(format, width: 62, height: 46)
        let view = try #require(
            try frame.pixels(format, matrix: matrix)?.reducedViews(minimumWidth: 31, minimumHeight: 23).first)
        #expect(view.width == 31 && view.height == 23 && view.originalWidth == 62 && view.originalHeight == 46)
        let pixels = Self.bytes(view)
        let (red, blue) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
        var largest = 0.0
        for y in 0..<23 {
            for x in 0..<31 {
                let block = [(0, 0), (1, 0), (0, 1), (1, 1)].map {
                    frame.color(2 * x + $0.0, 2 * y + $0.1, isFull: format.isFullRange, red, blue)
                }
                for channel in 0..<3 {
                    let mean = block.map { $0[channel] }.reduce(0, +) / 4
                    largest = max(largest, abs(mean - Double(pixels[(y * 31 + x) * 3 + channel])))
                }
            }
        }
        // Interpolated colours differ by a level or two from the nearest ones in so smooth a frame.
        #expect(largest < 6)
    }

    @Test func `NV12 and I420 frames of the same samples give the same views and differ in no block`() throws {
        let frame = Frame(.i420Video, width: 67, height: 45)
        var joined = frame
        let count = (frame.width + 1) / 2
        joined.planes[1] = (0..<((frame.height + 1) / 2)).flatMap { row in
            (0..<count).flatMap { x in [1, 2].map { frame.planes[$0][row * frame.bytesPerRow[$0] + x] } }
        }
        joined.bytesPerRow[1] = 2 * count
        joined.planes.removeLast()
        joined.bytesPerRow.removeLast()
        let (one, other) = try (#require(frame.pixels(.i420Video)), #require(joined.pixels(.nv12Video)))
        #expect(
            try one.reducedViews(minimumWidth: 20, minimumHeight: 15).map(Self.bytes)
                == other.reducedViews(minimumWidth: 20, minimumHeight: 15).map(Self.bytes))
        #expect(FrameSignature(one)?.difference(to: try #require(FrameSignature(other)))?.largest == 0)
    }

    @Test func `A frame whose neighbouring colours differ has a view for each way to show them`() throws {
        let smooth = try Frame(.i420Full, width: 320, height: 256).pixels(.i420Full)?
            .reducedViews(minimumWidth: 256, minimumHeight: 256)
        let rough = try Frame(.i420Full, width: 320, height: 256, isSmooth: false).pixels(.i420Full)?
            .reducedViews(minimumWidth: 256, minimumHeight: 256)
        #expect(smooth?.count == 1 && rough?.count == 2)
    }

    @Test func `A BGRA frame with meaningless opacity is judged with and without it`() throws {
        var frame = Frame(.bgra, width: 40, height: 30)
        for index in stride(from: 3, to: frame.planes[0].count, by: 4) { frame.planes[0][index] = 255 }
        frame.bytesPerRow[0] = 160
        #expect(try frame.pixels(.bgra)?.reducedViews(minimumWidth: 20, minimumHeight: 15).count == 1)
        for index in stride(from: 3, to: frame.planes[0].count, by: 4) { frame.planes[0][index] = 0 }
        let views = try #require(try frame.pixels(.bgra)?.reducedViews(minimumWidth: 20, minimumHeight: 15))
        #expect(views.count >= 3)
        // The colours themselves are the first view, blue before red.
        let first = Self.bytes(views[0])
        let red = [0, 4, 160, 164].map { Int(frame.planes[0][$0 + 2]) }.reduce(2, +) / 4
        #expect(Int(first[0]) == red)
    }

    @Test(arguments: [(90, 70, 7, 6), (101, 67, 50, 33), (1200, 255, 4, 1)])
    func `The means of blocks of any size and length are rounded exactly`(
        _ size: (width: Int, height: Int, columns: Int, rows: Int)
    ) throws {
        let frame = Frame(.bgra, width: size.width, height: size.height, seed: 5, isSmooth: false)
        let view = try #require(
            try frame.pixels(.bgra)?.reducedViews(minimumWidth: size.columns, minimumHeight: size.rows).first)
        #expect((view.width, view.height) == (size.columns, size.rows))
        let means = (0..<size.rows).flatMap { row in
            (0..<size.columns).flatMap { column in (0..<3).map { mean(row, column, $0) } }
        }
        func mean(_ row: Int, _ column: Int, _ channel: Int) -> UInt8 {
            let xs = (size.width * column / size.columns)..<(size.width * (column + 1) / size.columns)
            let ys = (size.height * row / size.rows)..<(size.height * (row + 1) / size.rows)
            // A pixel has blue before red.
            let sum = ys.reduce(0) { sum, y in
                xs.reduce(sum) { $0 + Int(frame.planes[0][y * frame.bytesPerRow[0] + $1 * 4 + 2 - channel]) }
            }
            let count = xs.count * ys.count
            return UInt8((sum + count / 2) / count)
        }
        #expect(Self.bytes(view) == means)
    }

    @Test func `A cropped and turned frame shows the part upright`() throws {
        var frame = Frame(.i420Full, width: 64, height: 32)
        // A bright square in the upper left corner of the part.
        for index in 0..<3 { frame.planes[index] = frame.planes[index].map { _ in index == 0 ? 16 : 128 } }
        for y in 8..<16 { for x in 16..<24 { frame.planes[0][y * frame.bytesPerRow[0] + x] = 235 } }
        let crop = VideoPixels.Crop(x: 16, y: 8, width: 32, height: 16)
        for turns in 0..<4 {
            let view = try #require(
                try frame.pixels(.i420Full, crop: crop, quarterTurns: turns)?
                    .reducedViews(minimumWidth: 1000, minimumHeight: 1000).first)
            #expect(turns % 2 == 0 ? view.width == 32 && view.height == 16 : view.width == 16 && view.height == 32)
            let pixels = Self.bytes(view)
            func level(_ x: Int, _ y: Int) -> UInt8 { pixels[(y * view.width + x) * 3] }
            let corners = [
                level(2, 2), level(view.width - 3, 2), level(view.width - 3, view.height - 3),
                level(2, view.height - 3),
            ]
            #expect(corners.firstIndex(of: corners.max()!) == turns)
        }
    }

    @Test func `Numbers that do not fit the memory make no frame`() {
        let storage = ArrayPixelStorage([UInt8](repeating: 0, count: 100))
        func frame(_ width: Int, _ height: Int, _ bytesPerRow: Int, offset: Int = 0) -> VideoPixels? {
            VideoPixels(
                format: .bgra, width: width, height: height,
                planes: [VideoPixels.Plane(storage: storage, offset: offset, bytesPerRow: bytesPerRow)])
        }
        #expect(frame(5, 5, 20) != nil)
        #expect(frame(5, 5, 20, offset: 1) == nil)
        #expect(frame(5, 6, 20) == nil && frame(6, 5, 20) == nil && frame(5, 5, 21) == nil)
        #expect(frame(0, 5, 20) == nil && frame(5, -1, 20) == nil && frame(5, 5, .max) == nil)
        #expect(frame(.max, 1, .max) == nil && frame(5, 5, 20, offset: -1) == nil)
        #expect(frame(5, 5, 20, offset: .max) == nil && frame(1, .max, 4) == nil)
    }

    @Test func `A crop outside the frame makes no frame`() {
        let frame = Frame(.nv12Full, width: 20, height: 10)
        for crop in [(0, 0, 21, 1), (1, 0, 20, 1), (0, 5, 1, 6), (-1, 0, 2, 2), (0, 0, 0, 1), (.max, 0, 1, 1)] {
            #expect(
                frame.pixels(.nv12Full, crop: VideoPixels.Crop(x: crop.0, y: crop.1, width: crop.2, height: crop.3))
                    == nil)
        }
    }
}
