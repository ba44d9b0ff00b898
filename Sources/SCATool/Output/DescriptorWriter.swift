// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Writes to a descriptor that may be a pipe, a terminal or a file.
enum DescriptorWriter {
    /// Writes all bytes, and waits for a slow reader.
    ///
    /// - Returns: 0, or an errno value.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch count == 0 ? EIO : errno {
            case EINTR: continue
            // The creator of the pipe may have set it to non-blocking mode.
            case EAGAIN:
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&ready, 1, -1)
            case let number: return number
            }
        }
        return 0
    }
}
