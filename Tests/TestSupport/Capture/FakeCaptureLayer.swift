// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
import Glibc
import Synchronization
package import VideoCapture

/// A device without hardware, which refuses calls in an order that the kernel would refuse.
package final class FakeCaptureLayer: CaptureLayer {
    package struct Script: Sendable {
        package var capturesVideo: Result<Bool, CaptureLayerError> = .success(true)
        /// The offered formats, with the format and the rate that the driver chooses.
        package var formats: [(format: CaptureFormat, rate: Double?)] = []
        package var settingFails: CaptureLayerError?
        /// The format in force when the capture runs; nil for the chosen format.
        package var formatInForce: CaptureFormat?
        package var bufferLengths = [4096, 4096, 4096, 4096]
        /// The bytes of each frame, in order.
        package var frames: [Frame] = []
        /// The error after the last frame; nil to give no more frames.
        package var endsWith: CaptureLayerError?
        /// The time before each frame.
        package var interval = Duration.zero

        package init() {}
    }

    package struct Frame: Sendable {
        package var bytes: [UInt8] = []
        package var count: Int?
        package var index: Int?
        package var isDamaged = false
        package var isWhole = true
        package var moment: Duration?
        package var error: CaptureLayerError?

        package init(
            bytes: [UInt8] = [], count: Int? = nil, index: Int? = nil, isDamaged: Bool = false, isWhole: Bool = true,
            moment: Duration? = nil, error: CaptureLayerError? = nil
        ) {
            self.bytes = bytes
            self.count = count
            self.index = index
            self.isDamaged = isDamaged
            self.isWhole = isWhole
            self.moment = moment
            self.error = error
        }
    }

    package struct State: Sendable {
        package var script: Script
        package var chosen: CaptureFormat?
        package var buffers: [[UInt8]] = []
        package var queued: [Int] = []
        package var isStreaming = false
        package var stopCount = 0
        package var violations: [String] = []
    }

    private let state: Mutex<State>

    package init(_ script: Script) {
        state = Mutex(State(script: script))
    }

    package var current: State { state.withLock { $0 } }

    package func capturesVideo() throws(CaptureLayerError) -> Bool { try current.script.capturesVideo.get() }

    package func pixelFormat(at index: Int) throws(CaptureLayerError) -> UInt32? {
        let formats = current.script.formats
        return index < formats.count ? formats[index].format.code : nil
    }

    package func setFormat(_ wanted: CaptureFormat) throws(CaptureLayerError) -> CaptureFormat {
        let current = current
        if let error = current.script.settingFails { throw error }
        if !current.buffers.isEmpty { violate("a format was set while there are buffers") }
        let chosen = (current.script.formats.first { $0.format.code == wanted.code } ?? current.script.formats[0])
            .format
        state.withLock { $0.chosen = chosen }
        return chosen
    }

    package func currentFormat() throws(CaptureLayerError) -> CaptureFormat {
        let current = current
        guard let format = current.script.formatInForce ?? current.chosen else { throw CaptureLayerError(EINVAL) }
        return format
    }

    package func setInterval(_ wanted: Duration) -> Duration? {
        let script = current.script
        return script.formats.last?.rate.map { .seconds(1 / $0) }
    }

    package func makeBuffers(_ count: Int) throws(CaptureLayerError) -> [Int] {
        state.withLock { state in
            state.buffers = state.script.bufferLengths.map { [UInt8](repeating: 0, count: $0) }
            return state.script.bufferLengths
        }
    }

    package func queue(_ index: Int) throws(CaptureLayerError) {
        state.withLock { state in
            if state.queued.contains(index) || !state.buffers.indices.contains(index) {
                state.violations.append("buffer \(index) was queued, and is not the program's")
            }
            state.queued.append(index)
        }
    }

    package func start() throws(CaptureLayerError) {
        state.withLock { state in
            if state.queued.isEmpty { state.violations.append("the capture began without a buffer") }
            state.isStreaming = true
        }
    }

    package func takeBuffer() throws(CaptureLayerError) -> FilledBuffer? {
        usleep(UInt32(current.script.interval / .microseconds(1)))
        let step: Result<FilledBuffer?, CaptureLayerError> = state.withLock { state in
            guard state.isStreaming else { return .failure(CaptureLayerError(EINVAL)) }
            guard !state.script.frames.isEmpty else {
                usleep(1000)
                return state.script.endsWith.map { .failure($0) } ?? .success(nil)
            }
            let frame = state.script.frames.removeFirst()
            if let error = frame.error { return .failure(error) }
            guard !state.queued.isEmpty else {
                state.violations.append("no buffer was queued")
                return .success(nil)
            }
            let index = state.queued.removeFirst()
            for (place, byte) in frame.bytes.enumerated() { state.buffers[index][place] = byte }
            return .success(
                FilledBuffer(
                    index: frame.index ?? index, byteCount: frame.count ?? frame.bytes.count,
                    isDamaged: frame.isDamaged, isWhole: frame.isWhole, moment: frame.moment))
        }
        return try step.get()
    }

    package func withBytes<Result>(of index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        current.buffers[index].withUnsafeBytes(body)
    }

    package func stop() {
        state.withLock { state in
            state.isStreaming = false
            state.stopCount += 1
            (state.buffers, state.queued) = ([], [])
        }
    }

    private func violate(_ text: String) { state.withLock { $0.violations.append(text) } }
}
