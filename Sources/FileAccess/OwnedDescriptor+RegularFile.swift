// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Glibc

extension OwnedDescriptor {
    /// Opens a regular file for reading, without waiting for a device or a pipe.
    ///
    /// - Parameter remedy: the advice for a pipe, a socket or a device.
    /// - Throws: `inputUnreadable`, or `invalidArgument` for a folder.
    package static func openRegularFile(
        at path: String, remedy: String = remedyForMedia
    ) throws(AnalysisFailure) -> OwnedDescriptor {
        let path = Array(path.utf8CString)
        return unsafe try path.withUnsafeBufferPointer { path throws(AnalysisFailure) in
            unsafe try openRegularFile(at: path.baseAddress!, remedy: remedy)
        }
    }

    /// Opens a regular file for reading, whose path need not be UTF-8 text.
    ///
    /// - Throws: `inputUnreadable`, or `invalidArgument` for a folder.
    package static func openRegularFile(
        at path: UnsafePointer<CChar>, remedy: String = remedyForMedia
    ) throws(AnalysisFailure) -> OwnedDescriptor {
        // Without O_NONBLOCK, opening a FIFO waits for a writer.
        let number = unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR:
                throw AnalysisFailure(.inputUnreadable, "There is no such file. Check the path.")
            case EACCES, EPERM:
                throw AnalysisFailure(
                    .inputUnreadable,
                    "The file may not be read by this user. Change its permissions, or run as its owner.")
            case ENXIO, ENODEV:
                throw AnalysisFailure(.inputUnreadable, notRegular + remedy)
            case let error:
                throw AnalysisFailure(
                    .inputUnreadable,
                    "The file could not be opened (error \(error)). Check the path and its permissions.")
            }
        }
        let descriptor = OwnedDescriptor(number)
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else {
            throw AnalysisFailure(
                .inputUnreadable, "The file could not be examined (error \(errno)). Check the disk it is on.")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR:
            throw AnalysisFailure(
                .invalidArgument,
                "This is a folder. Name the files in it, or ask for folders to be searched (--recursive).")
        default: throw AnalysisFailure(.inputUnreadable, notRegular + remedy)
        }
        return descriptor
    }

    private static let notRegular = "This is no regular file but a pipe, a socket or a device. "
    package static let remedyForMedia = "Save the media to a file, or pass it on standard input."
}
