// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The three descriptors with which a program starts.
enum StandardStreams {
    /// Opens those that are closed in a way in which they cannot be used.
    ///
    /// Otherwise the next file that is opened would take the number, and results would be written into it.
    static func occupyClosed() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free.
            _ = unsafe open("/dev/null", mode)
        }
    }
}
