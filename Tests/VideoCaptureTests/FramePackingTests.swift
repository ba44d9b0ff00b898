// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import HelperProtocol
import TestSupport
import Testing
import VideoCapture

@Suite("The encodings of a capture device")
struct FramePackingTests {
    /// A picture whose samples are all different, by column and row; colours are the same for two columns and rows.
    private struct Picture {
        let width: Int
        let height: Int

        func luma(_ x: Int, _ y: Int) -> UInt8 { UInt8((x * 7 + y * 13 + 1) % 256) }
        func blue(_ x: Int, _ y: Int) -> UInt8 { UInt8((x / 2 * 5 + y / 2 * 11 + 90) % 256) }
        func red(_ x: Int, _ y: Int) -> UInt8 { UInt8((x / 2 * 3 + y / 2 * 17 + 160) % 256) }

        var packed: [UInt8] {
            let luma = (0..<height).flatMap { y in (0..<width).map { self.luma($0, y) } }
            func plane(_ color: (Int, Int) -> UInt8) -> [UInt8] {
                stride(from: 0, to: height, by: 2).flatMap { y in stride(from: 0, to: width, by: 2).map { color($0, y) }
                }
            }
            return luma + plane(blue) + plane(red)
        }

        /// The bytes as a device gives them, with rows of this length; the last one without padding.
        func bytes(_ encoding: CaptureEncoding, _ row: Int) -> [UInt8] {
            let even = (width + 1) / 2 * 2
            func padded(_ rows: [[UInt8]], to length: Int) -> [UInt8] {
                rows.flatMap { $0 + [UInt8](repeating: 255, count: length - $0.count) }
            }
            let lumaRows = (0..<height).map { y in (0..<width).map { luma($0, y) } }
            let colorRows = stride(from: 0, to: height, by: 2)
            switch encoding {
            case .nv12:
                let colors = colorRows.map { y in
                    stride(from: 0, to: width, by: 2).flatMap { [blue($0, y), red($0, y)] }
                }
                return padded(lumaRows, to: row) + padded(colors, to: row)
            case .i420:
                let colors = [blue, red].flatMap { color in
                    colorRows.map { y in stride(from: 0, to: width, by: 2).map { color($0, y) } }
                }
                return padded(lumaRows, to: row) + padded(colors, to: row / 2)
            case .yuyv, .uyvy:
                let rows = (0..<height).map { y in
                    stride(from: 0, to: even, by: 2).flatMap { x in
                        let right = x + 1 < width ? luma(x + 1, y) : 0
                        return encoding == .yuyv
                            ? [luma(x, y), blue(x, y), right, red(x, y)] : [blue(x, y), luma(x, y), red(x, y), right]
                    }
                }
                return padded(rows, to: row)
            case .jpeg: return []
            }
        }
    }

    @Test(
        "Every encoding becomes the same planes at even and odd sizes",
        arguments: CaptureEncoding.allCases.filter { $0 != .jpeg },
        [(1, 1), (2, 2), (3, 3), (7, 4), (16, 9), (101, 33)])
    func encodingsAgree(encoding: CaptureEncoding, size: (width: Int, height: Int)) throws {
        let picture = Picture(width: size.width, height: size.height)
        let code = ["NV12", "YU12", "YUYV", "UYVY"][CaptureEncoding.allCases.firstIndex(of: encoding)!]
        let row = (size.width + 1) / 2 * 4 + 6
        let bytes = picture.bytes(encoding, row)
        var script = FakeCaptureLayer.Script()
        script.formats = [
            (
                CaptureFormat(
                    width: size.width, height: size.height, code: CaptureEncoding.code(code), bytesPerRow: row,
                    isFullRange: true, matrix: .bt709), nil
            )
        ]
        script.bufferLengths = [bytes.count, bytes.count]
        script.frames = [.init(bytes: bytes)]
        let device = try CaptureDevice(FakeCaptureLayer(script), CaptureWish(width: 640, height: 480))
        var frames: [CapturedFrame] = []
        try device.run {
            frames.isEmpty
        } receive: {
            frames.append($0)
        }
        guard case .planes(let pixels, let memory) = frames[0].content else {
            Issue.record("the frame is no planes")
            return
        }
        #expect(memory.withBytes { [UInt8]($0) } == picture.packed)
        #expect(pixels.format == .i420Full)
        #expect(pixels.matrix == .bt709)
    }
}
