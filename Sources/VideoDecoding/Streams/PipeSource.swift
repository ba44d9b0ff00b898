// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CFFmpegShims
internal import FileAccess

/// The pipe from which a live stream is read, in the order of its bytes.
final class PipeSource {
    private let pipe: OwnedDescriptor
    private let readsOn: () -> Bool

    /// - Parameter readsOn: called while the stream is read, at least every 50 ms; false gives the stream up.
    init(_ pipe: OwnedDescriptor, readsOn: @escaping () -> Bool) {
        self.pipe = pipe
        self.readsOn = readsOn
    }

    var descriptor: Int32 { pipe.number }

    /// The owner that C functions pass to `wait`; the source must outlive them.
    var owner: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    /// Returns whether to go on, for C functions that read the pipe.
    static let wait: CFFmpegShims_Wait = { owner in
        guard let owner = unsafe owner else { return 1 }
        return unsafe Unmanaged<PipeSource>.fromOpaque(owner).takeUnretainedValue().readsOn() ? 0 : 1
    }

    /// Adds the next bytes of the pipe to the end of an array.
    ///
    /// - Returns: whether there were any; false at the end of the stream.
    /// - Throws: `unreadable`, also if the stream was given up.
    func read(into bytes: inout [UInt8], atMost count: Int) throws(DecodingFailure) -> Bool {
        var piece = [UInt8](repeating: 0, count: count)
        let got = unsafe CFFmpegShims_read_stream(descriptor, &piece, Int32(count), Self.wait, owner)
        guard got >= 0 else { throw DecodingFailure(.unreadable, detail: "the stream") }
        bytes += piece.prefix(Int(got))
        return got > 0
    }

    /// Reads a record, which is behind its length in two bytes; nil at the end of the stream.
    ///
    /// - Throws: `unreadable`, also if the stream was given up, or `malformed` if it ends within the record.
    func readRecord() throws(DecodingFailure) -> [UInt8]? {
        var length: [UInt8] = []
        while length.count < 2, try read(into: &length, atMost: 2 - length.count) {}
        guard !length.isEmpty else { return nil }
        guard length.count == 2 else { throw DecodingFailure(.malformed, detail: "the stream") }
        let count = Int(length[0]) << 8 | Int(length[1])
        var record: [UInt8] = []
        while record.count < count {
            guard try read(into: &record, atMost: count - record.count) else {
                throw DecodingFailure(.malformed, detail: "the stream")
            }
        }
        return record
    }
}
