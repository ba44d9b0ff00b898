// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension OwnedDescriptor {
    /// Reads a file from its start to its end in pieces, whatever the position of the descriptor is.
    ///
    /// - Returns: the number of bytes that were read; nil if the file cannot be read to its end.
    package func readPieces(_ body: (UnsafeRawBufferPointer) -> Void) -> Int? {
        // One buffer serves all reads.
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var position = 0
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe pread(number, $0.baseAddress, $0.count, off_t(position))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? position : nil }
            unsafe buffer.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
            position += count
        }
    }
}
