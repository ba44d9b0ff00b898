// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Writes the frames that leave a gate to standard output, as a Y4M stream.
final class GatedFrameWriter: Sendable {
    /// A frame from standard input.
    final class Frame: Sendable {
        let bytes: [UInt8]
        let pixels: VideoPixels

        init(bytes: [UInt8], pixels: VideoPixels) {
            (self.bytes, self.pixels) = (bytes, pixels)
        }
    }

    private let queue = DispatchQueue(label: "sca.watch.output")
    private let waitingCount = Mutex(0)

    /// Writes the header of the stream.
    func begin(_ format: FrameFormat) {
        let interval = format.interval.map { Int($0 / .microseconds(1)) } ?? 33_333
        let header = Y4MHeader.text(format, rate: "1000000:\(interval)")
        queue.async { StandardOutput.write(Array(header.utf8)) }
    }

    /// Writes a frame or its cover; a frame that a slow reader would delay is dropped.
    func write(_ release: StreamService.Release) {
        let isDropped = waitingCount.withLock { count in
            if count >= Self.mostWaiting { return true }
            count += 1
            return false
        }
        if isDropped { return }
        queue.async { [self] in
            defer { waitingCount.withLock { $0 -= 1 } }
            let (frame, isCovered): (StreamService.State.Frame, Bool) =
                switch release {
                case .frame(let frame): (frame, false)
                case .cover(let frame, _): (frame, true)
                }
            guard let source = frame.picture.source as? Frame else { return }
            StandardOutput.write(Array("FRAME\n".utf8) + (isCovered ? Self.cover(of: source.pixels) : source.bytes))
        }
    }

    /// Waits until all frames are written.
    func finish() { queue.sync {} }

    /// Returns a frame of the few colours that a cover may show, or a grey one.
    private static func cover(of pixels: VideoPixels) -> [UInt8] {
        let detail = PixelSamples.Detail.cover
        let samples = try? pixels.reducedViews(minimumWidth: detail.fullEdge, minimumHeight: detail.fullEdge).first.map
        {
            PixelSamples($0, detail)
        }
        let (width, height) = (pixels.width, pixels.height)
        let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
        var bytes = [UInt8](repeating: 128, count: width * height + 2 * columns * rows)
        guard let samples else { return bytes }
        for y in 0..<height {
            for x in 0..<width {
                bytes[y * width + x] = color(samples, x * samples.width / width, y * samples.height / height).luma
            }
        }
        for y in 0..<rows {
            for x in 0..<columns {
                let color = color(samples, x * samples.width / columns, y * samples.height / rows)
                bytes[width * height + y * columns + x] = color.blue
                bytes[width * height + (rows + y) * columns + x] = color.red
            }
        }
        return bytes
    }

    /// Returns a sample as luma and differences of colours in video range.
    ///
    /// Source: ITU-R BT.601-7, section 2.5.
    private static func color(_ samples: PixelSamples, _ x: Int, _ y: Int) -> (luma: UInt8, blue: UInt8, red: UInt8) {
        let start = (y * samples.width + x) * 3
        let (r, g, b) = (Int(samples.colors[start]), Int(samples.colors[start + 1]), Int(samples.colors[start + 2]))
        let luma = (66 * r + 129 * g + 25 * b + 128) / 256 + 16
        let blue = (-38 * r - 74 * g + 112 * b + 128) / 256 + 128
        let red = (112 * r - 94 * g - 18 * b + 128) / 256 + 128
        return (UInt8(clamping: luma), UInt8(clamping: blue), UInt8(clamping: red))
    }

    /// The number of frames that may wait for a slow reader.
    private static let mostWaiting = 4
}
