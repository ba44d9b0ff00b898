// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Glibc

extension OwnedDescriptor {
    /// Opens a folder, in which files can be opened by their names.
    ///
    /// - Throws: `inputUnreadable`.
    package static func openFolder(at path: String) throws(AnalysisFailure) -> OwnedDescriptor {
        let number = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else {
            throw AnalysisFailure(
                .inputUnreadable,
                "The folder could not be opened (error \(errno)). Check the path and its permissions.")
        }
        return OwnedDescriptor(number)
    }

    /// Opens a regular file below this folder for reading, and follows no link.
    ///
    /// - Parameter path: the names of the folders and of the file; none may be `.` or `..`, or have a slash.
    /// - Returns: nil if there is no such file.
    /// - Throws: `inputUnreadable`, also for a link.
    package func openRegularFile(below path: [String]) throws(AnalysisFailure) -> OwnedDescriptor? {
        var folder = self
        for (index, name) in path.enumerated() {
            guard !["", ".", ".."].contains(name), !name.utf8.contains(where: { $0 == 0x2F || $0 == 0 }) else {
                throw AnalysisFailure(.inputUnreadable, "The folder names a file outside of it. Get it again.")
            }
            let kind = index == path.count - 1 ? O_NONBLOCK | O_NOCTTY : O_DIRECTORY
            let number = unsafe openat(folder.number, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind)
            guard number >= 0 else {
                switch errno {
                case ENOENT: return nil
                case ELOOP, ENOTDIR:
                    throw AnalysisFailure(
                        .inputUnreadable,
                        "A part of the folder is a link or no folder. Copy its files in place of links.")
                case let error:
                    throw AnalysisFailure(
                        .inputUnreadable,
                        "A file of the folder could not be opened (error \(error)). Check the permissions of its files."
                    )
                }
            }
            folder = OwnedDescriptor(number)
        }
        var status = stat()
        guard unsafe fstat(folder.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw AnalysisFailure(.inputUnreadable, "A part of the folder is no regular file. Get the folder again.")
        }
        return folder
    }
}
