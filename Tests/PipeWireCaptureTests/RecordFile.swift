// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import CPipeWireShims
import Glibc
import HelperProtocol
import Testing

@testable import PipeWireCapture

/// A file in memory, to which frames are written as records.
final class RecordFile {
    let path = "/dev/shm/sca-records-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let output: FrameOutput
    private let descriptor: Int32

    init() throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        output = FrameOutput(descriptor)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// The records so far.
    func records() throws -> [NodeRecord] {
        let size = lseek(descriptor, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: size)
        try #require(pread(descriptor, &bytes, size, 0) == size)
        var records: [NodeRecord] = []
        while !bytes.isEmpty {
            let length = try #require(NodeRecord.length(ofHeader: Array(bytes.prefix(NodeRecord.headerLength))))
            let end = NodeRecord.headerLength + length
            records.append(length == 0 ? .nextStream : .bytes(Array(bytes[NodeRecord.headerLength..<end])))
            bytes.removeFirst(end)
        }
        return records
    }
}

extension FrameOutput {
    /// Writes a frame in I420 of one level.
    func write(level: UInt8 = 1, width: UInt32, height: UInt32) -> Bool {
        let chroma = Int((width + 1) / 2) * Int((height + 1) / 2)
        return [UInt8](repeating: level, count: Int(width * height) + 2 * chroma).withUnsafeBufferPointer { bytes in
            var frame = CPipeWireShims_Frame()
            (frame.format, frame.width, frame.height, frame.matrix) = (CPipeWireShims_I420, width, height, 709)
            (frame.bytes, frame.byte_count) = (bytes.baseAddress, bytes.count)
            return write(frame)
        }
    }
}
