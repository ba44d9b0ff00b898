// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The size, inode and times of a file as a text, which changes with every change of the file.
enum FileStateText {
    /// - Returns: nil if there is no such file.
    static func of(_ path: String) -> String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        let numbers = [
            Int(status.st_size), Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
            status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
        return numbers.map(String.init).joined(separator: ",")
    }
}
