// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import VideoCapture

/// A device whose formats have rates of their own, and which is never started.
final class RatedLayer: CaptureLayer {
    private let formats: [(format: CaptureFormat, rate: Double)]
    private let latest = Mutex<UInt32>(0)

    init(_ formats: [(format: CaptureFormat, rate: Double)]) {
        self.formats = formats
    }

    /// The code of the format that was set last.
    var lastCode: UInt32 { latest.withLock { $0 } }

    func capturesVideo() -> Bool { true }

    func pixelFormat(at index: Int) -> UInt32? { index < formats.count ? formats[index].format.code : nil }

    func setFormat(_ wanted: CaptureFormat) -> CaptureFormat {
        latest.withLock { $0 = wanted.code }
        return formats.first { $0.format.code == wanted.code }?.format ?? formats[0].format
    }

    func currentFormat() -> CaptureFormat { formats.first { $0.format.code == lastCode }?.format ?? formats[0].format }

    func setInterval(_ wanted: Duration) -> Duration? {
        formats.first { $0.format.code == lastCode }.map { .seconds(1 / $0.rate) }
    }

    func makeBuffers(_ count: Int) -> [Int] { [] }
    func queue(_ index: Int) {}
    func start() {}
    func takeBuffer() -> FilledBuffer? { nil }
    func withBytes<Result>(of index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    func stop() {}
}
