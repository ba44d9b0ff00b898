// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The three descriptors with which a program starts.
enum StandardStreams {
    /// Opens /dev/null for each closed standard descriptor, in a mode in which the descriptor cannot be used.
    ///
    /// Otherwise the next opened file would get the number, and results would be written into the file.
    static func occupyClosed() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free number, which is this descriptor.
            _ = unsafe open("/dev/null", mode)
        }
    }
}
