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
    private let state = Mutex(State())

    private struct State {
        var waitingCount = 0
        /// The frames that were dropped since the last written one.
        var droppedCount = 0
    }

    /// Writes the header of the stream.
    func begin(_ format: FrameFormat) {
        let header = Y4MHeader.text(format)
        queue.async { StandardOutput.write(Array(header.utf8)) }
    }

    /// Writes a frame or its cover.
    ///
    /// A frame that a slow reader would delay is dropped. The next frame is then written again in its place, because the
    /// rate of a Y4M stream is constant. A reader that stays slow gets fewer frames, and no more copies than it can read.
    func write(_ release: StreamService.Release, droppedCount: Int) {
        let copyCount = state.withLock { state -> Int? in
            state.droppedCount += droppedCount
            if state.waitingCount >= Self.mostWaiting {
                state.droppedCount += 1
                return nil
            }
            defer { state.droppedCount = 0 }
            state.waitingCount += 1
            return min(state.droppedCount, Self.mostCopies) + 1
        }
        guard let copyCount else { return }
        queue.async { [self] in
            defer { state.withLock { $0.waitingCount -= 1 } }
            let (frame, isCovered): (StreamService.State.Frame, Bool) =
                switch release {
                case .frame(let frame): (frame, false)
                case .cover(let frame, _): (frame, true)
                }
            guard let source = frame.picture.source as? Frame else { return }
            let bytes = Array("FRAME\n".utf8) + (isCovered ? Self.cover(of: source.pixels) : source.bytes)
            for _ in 0..<copyCount { StandardOutput.write(bytes) }
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
    /// The number of dropped frames that are replaced at once.
    private static let mostCopies = 4
}
