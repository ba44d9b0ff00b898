// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Glibc

/// Reads the bytes of an input, which no part of the command looks into.
enum InputBytes {
    /// Returns this number of bytes, or fewer at the end of the stream.
    static func next(of descriptor: Int32, exactly count: Int) throws(AnalysisFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try read(descriptor, into: &bytes)
        return Array(bytes.prefix(got))
    }

    /// Returns the next bytes as soon as there are some; none at the end of the stream.
    static func next(of descriptor: Int32) throws(AnalysisFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let got = try read(descriptor, into: &bytes, isFilled: false)
        return Array(bytes.prefix(got))
    }

    /// Reads until the buffer is full or the stream ends.
    ///
    /// - Parameter isFilled: whether to go on until the buffer is full; otherwise any number of bytes is enough.
    private static func read(
        _ descriptor: Int32, into bytes: inout [UInt8], isFilled: Bool = true
    ) throws(AnalysisFailure) -> Int {
        var count = 0
        while count < bytes.count {
            let added = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress! + count, buffer.count - count)
            }
            if added == 0 { return count }
            if added > 0 {
                count += added
                if !isFilled { return count }
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&ready, 1, -1)
            case let number:
                throw AnalysisFailure(.inputUnreadable, "The stream cannot be read (error \(number) of the system).")
            }
        }
        return count
    }
}
