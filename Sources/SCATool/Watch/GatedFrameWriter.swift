// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Dispatch
internal import Foundation
internal import LiveStreams
internal import Synchronization

/// Writes the frames that leave a gate to standard output, as a Y4M stream.
final class GatedFrameWriter: Sendable {
    /// A frame of the stream.
    final class Frame: Sendable {
        let pixels: VideoPixels
        /// The time of the frame since the beginning of the stream.
        let moment: Duration
        /// The rate of the stream, if it states an exact one.
        let rate: FrameRate?
        private let storage: any PixelStorage

        /// - Parameter storage: luma and two planes of colours without padding, which the pixels describe.
        init(_ pixels: VideoPixels, _ storage: any PixelStorage, at moment: Duration, rate: FrameRate? = nil) {
            (self.pixels, self.storage, self.moment, self.rate) = (pixels, storage, moment, rate)
        }

        var byteCount: Int { storage.byteCount }
        var bytes: [UInt8] { unsafe storage.withBytes { unsafe [UInt8]($0) } }
    }

    typealias Service = StreamService<Frame>

    private let queue = DispatchQueue(label: "sca.watch.output")
    private let state = Mutex(State())

    private struct State {
        var rate = ConstantRate()
        var hasHeader = false
        var waitingCount = 0
        /// Whether frames were dropped since the last written frame, because the reader is slow.
        var isBehind = false
    }

    /// Writes the header of a stream whose rate is known.
    func begin(_ format: FrameFormat) {
        state.withLock { state in
            state.rate.set(format.rateText, interval: format.interval)
            state.hasHeader = true
        }
        write(header: format)
    }

    /// Notes a frame that enters the gate, by whose times the rate of the stream is found.
    func note(_ frame: Frame) {
        state.withLock { state in
            state.rate.note(frame.moment)
            guard state.rate.text == nil, let rate = frame.rate else { return }
            state.rate.set("\(rate.frames):\(rate.seconds)", interval: rate.interval)
        }
    }

    /// Writes a frame or its cover.
    ///
    /// A frame that a slow reader would delay is dropped. The next frame is then written again in its place, because the
    /// rate of a Y4M stream is constant. A reader that stays slow gets fewer frames, and no more copies than it can read.
    func write(_ release: GatedFrameWriter.Service.Release) {
        let (frame, isCovered): (GatedFrameWriter.Service.State.Frame, Bool) =
            switch release {
            case .frame(let frame): (frame, false)
            case .cover(let frame, _): (frame, true)
            }
        guard let source = frame.picture.source else { return }
        let (copyCount, header) = state.withLock { state -> (Int, FrameFormat?) in
            guard state.waitingCount < Self.mostWaiting else {
                state.isBehind = true
                return (0, nil)
            }
            state.rate.find()
            // A few bytes of a stream may state a long gap between large frames.
            let mostOfGap = min(Self.mostCopiesOfGap, max(1, Self.mostBytesOfGap / max(1, source.byteCount)))
            let count = min(state.rate.copyCount(of: source.moment), state.isBehind ? Self.mostCopies : mostOfGap)
            defer { state.hasHeader = true }
            if count > 0 {
                state.isBehind = false
                state.waitingCount += 1
            }
            return (count, state.hasHeader ? nil : Self.format(of: source.pixels, rate: state.rate.text))
        }
        if let header { write(header: header) }
        guard copyCount > 0 else { return }
        queue.async { [self] in
            defer { state.withLock { $0.waitingCount -= 1 } }
            let bytes = Array("FRAME\n".utf8) + (isCovered ? Self.cover(of: source.pixels) : source.bytes)
            for _ in 0..<copyCount { StandardOutput.write(bytes) }
        }
    }

    private func write(header format: FrameFormat) {
        let header = format.header
        queue.async { StandardOutput.write(Array(header.utf8)) }
    }

    private static func format(of pixels: VideoPixels, rate: String?) -> FrameFormat {
        FrameFormat(width: pixels.width, height: pixels.height, pixelFormat: pixels.format, rate: rate)
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
    /// The number of copies that fill a gap in the times of a stream: two seconds at the highest rate.
    private static let mostCopiesOfGap = 240
    private static let mostBytesOfGap = 256 << 20
}
