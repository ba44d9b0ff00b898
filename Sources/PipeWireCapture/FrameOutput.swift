// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CPipeWireShims
internal import Glibc
internal import HelperProtocol

/// Writes frames to the host as records.
final class FrameOutput {
    private let descriptor: Int32
    private var frames: MatroskaFrames?
    private var start: ContinuousClock.Instant?

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes a frame, and returns false if the host reads no more.
    func write(_ frame: CPipeWireShims_Frame) -> Bool {
        guard let bytes = unsafe frame.bytes else { return false }
        let look = unsafe MatroskaFrames(
            width: Int(frame.width), height: Int(frame.height), isBiplanar: frame.format == CPipeWireShims_NV12,
            isFullRange: frame.is_full_range, matrix: Int(frame.matrix))
        let now = ContinuousClock.now
        if frames != look {
            if frames != nil, !writeAll(NodeRecord.header(ofLength: 0)) { return false }
            (frames, start) = (look, now)
            guard writeRecord(look.header) else { return false }
        }
        let milliseconds = Int((start ?? now).duration(to: now) / .milliseconds(1))
        let frameBytes = unsafe UnsafeRawBufferPointer(start: bytes, count: frame.byte_count)
        return unsafe writeRecord(MatroskaFrames.header(ofFrameAt: milliseconds, byteCount: frameBytes.count))
            && writeRecords(frameBytes)
    }

    private func writeRecord(_ bytes: [UInt8]) -> Bool { writeAll(NodeRecord.header(ofLength: bytes.count) + bytes) }

    private func writeRecords(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let piece = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(NodeRecord.mostBytes))
            guard writeAll(NodeRecord.header(ofLength: piece.count)), unsafe writeAll(piece) else { return false }
            unsafe rest = rest.dropFirst(piece.count)
        }
        return true
    }

    private func writeAll(_ bytes: [UInt8]) -> Bool { unsafe bytes.withUnsafeBytes { unsafe writeAll($0) } }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position < bytes.count {
            let count = unsafe Glibc.write(descriptor, bytes.baseAddress! + position, bytes.count - position)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            position += count
        }
        return true
    }
}
