// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Wakes a thread that waits for descriptors.
final class WakeSignal: Sendable {
    /// Readable once the signal was sent; -1 where the system gives no descriptors.
    let descriptor: Int32
    private let end: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        if unsafe pipe(&ends) != 0 { ends = [-1, -1] }
        for each in ends where each >= 0 {
            _ = fcntl(each, F_SETFD, FD_CLOEXEC)
            _ = fcntl(each, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        end = ends[1]
    }

    deinit {
        for each in [descriptor, end] where each >= 0 { close(each) }
    }

    func send() {
        // Where the pipe is full, the thread is woken anyway.
        var byte: UInt8 = 1
        unsafe _ = write(end, &byte, 1)
    }

    /// Forgets what was sent so far.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
