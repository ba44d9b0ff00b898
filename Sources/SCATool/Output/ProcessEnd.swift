// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The end of the command.
enum ProcessEnd {
    /// Ends the process at once, with everything printed and no unfinished file.
    ///
    /// Not by `exit`: a model may still be loading on another thread, and would be running while the objects that it
    /// uses are taken down. The cache of compiled models copes with a writer that ends in mid-work.
    ///
    /// Streams of the C library are not flushed: nothing is written by them, and a thread that waits for an answer holds
    /// standard input, so that a signal would end nothing.
    static func now(_ code: Int32) -> Never {
        UnfinishedFiles.removeAll()
        _exit(code)
    }
}
