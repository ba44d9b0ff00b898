// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A pipe with which one thread wakes another thread from `FileWatch.wait`.
final class WakeSignal: Sendable {
    /// The descriptor that is readable after the signal was sent; -1 if the system provides none.
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
        // A failed write to a full pipe is harmless, because the bytes in the pipe wake the thread.
        var byte: UInt8 = 1
        unsafe _ = write(end, &byte, 1)
    }

    /// Removes all signals that were sent so far.
    func clear() {
        FileWatch.discardBytes(of: descriptor)
    }
}
