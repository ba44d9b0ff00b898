// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A folder in which the command is to keep something, and which may not be there yet.
enum OutputFolder {
    /// Looks whether a folder can be written to or made, without making it.
    ///
    /// - Parameter remedy: what to do where it cannot, as a sentence.
    /// - Throws: `CommandFailure` with 74 where it cannot; where it seems that it can, writing may fail all the same.
    static func requireWritable(_ path: String, remedy: String) throws(CommandFailure) {
        func failure(_ number: Int32) -> CommandFailure {
            .unwritable(path, "(\(unsafe String(cString: strerror(number)))). \(remedy)")
        }
        var folder = path
        while true {
            var status = stat()
            if unsafe stat(folder, &status) == 0 {
                guard status.st_mode & S_IFMT == S_IFDIR else { throw failure(ENOTDIR) }
                guard unsafe access(folder, W_OK | X_OK) == 0 else { throw failure(errno) }
                return
            }
            guard errno == ENOENT || errno == ENOTDIR, folder != "/", folder != "." else {
                throw failure(errno)
            }
            folder = folder.lastIndex(of: "/").map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "."
        }
    }
}
