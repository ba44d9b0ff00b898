// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The end of the command.
enum ProcessEnd {
    /// Ends the process at once, with all output written and no unfinished file.
    ///
    /// `exit` is not used, because a model may still be loading on another thread. That thread would run while its
    /// objects are destroyed. The cache of compiled models tolerates a writer that ends in mid-work.
    ///
    /// Streams of the C library are not flushed, because nothing uses them for writing. A thread that waits for an
    /// answer holds standard input, so a flush would keep a signal from ending the process.
    static func now(_ code: Int32) -> Never {
        UnfinishedFiles.removeAll()
        _exit(code)
    }
}
