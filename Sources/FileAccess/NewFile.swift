// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Glibc

/// Writes files, each whole or not at all.
package enum NewFile {
    /// Writes a file that only its owner may read.
    ///
    /// All steps go by the folder that was opened first, so a folder that is exchanged meanwhile changes nothing.
    ///
    /// - Parameters:
    ///   - path: the path of the new file, without a link to another file at its end.
    ///   - replaces: whether a regular file of that name is replaced; otherwise it is an error.
    /// - Throws: `outputUnwritable` with the remedy; nothing is left then.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to path: String, replaces: Bool = false
    ) throws(AnalysisFailure) {
        let end = path.lastIndex(of: "/")
        let folderPath = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = end.map { String(path[path.index(after: $0)...]) } ?? path
        guard !["", ".", ".."].contains(name), !path.utf8.contains(0) else {
            throw AnalysisFailure(.outputUnwritable, "The path of the copy names a folder. Name a file in it.")
        }
        let number = unsafe open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw failure(errno) }
        let folder = OwnedDescriptor(number)
        var status = stat()
        // Known before the work of writing; the last step finds it again.
        let exists = unsafe fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0
        guard !exists || replaces && status.st_mode & S_IFMT == S_IFREG else { throw failure(EEXIST) }
        guard exists else {
            guard try unsafe write(bytes, in: folder, names: CollectionOfOne(name)) != nil else {
                throw failure(EEXIST)
            }
            return
        }
        try unsafe replace(name, in: folder, bytes)
    }

    /// Writes a file that only its owner may read, under the first name that is free.
    ///
    /// - Parameter names: the names, without a slash.
    /// - Returns: the name of the file; nil if no name is free, and then there is no file.
    /// - Throws: `outputUnwritable` with the remedy; nothing is left then.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, in folder: OwnedDescriptor, names: some Sequence<String>
    ) throws(AnalysisFailure) -> String? {
        if let file = try unsafe nameless(bytes, in: folder) {
            switch try first(of: names, { link(file, as: $0, in: folder) }, besides: ENOENT) {
            case .name(let name): return name
            case .allTaken: return nil
            // Without /proc, the file has to have a name before it is complete.
            case .other: break
            }
        }
        let other = try unsafe writeUnderOtherName(bytes, in: folder)
        do throws(AnalysisFailure) {
            if case .name(let name) = try first(of: names, { place(other, as: $0, in: folder) }, besides: nil) {
                return name
            }
            _ = unsafe unlinkat(folder.number, other, 0)
            return nil
        } catch {
            _ = unsafe unlinkat(folder.number, other, 0)
            throw error
        }
    }

    private enum FirstName {
        case name(String)
        case allTaken
        /// The name was not tried any more, because of an errno value.
        case other
    }

    /// Returns the first name that is free.
    ///
    /// - Parameters:
    ///   - take: takes a name, and returns 0 or an errno value.
    ///   - other: the errno value for which no name is tried any more.
    private static func first(
        of names: some Sequence<String>, _ take: (String) -> Int32, besides other: Int32?
    ) throws(AnalysisFailure) -> FirstName {
        for name in names {
            switch take(name) {
            case 0: return .name(name)
            case EEXIST: continue
            case other: return .other
            case let number: throw failure(number)
            }
        }
        return .allTaken
    }

    private static func replace(
        _ name: String, in folder: OwnedDescriptor, _ bytes: UnsafeRawBufferPointer
    ) throws(AnalysisFailure) {
        // No system call gives a nameless file the name of another, so it has a name of its own for a moment.
        let other: String
        if let file = try unsafe nameless(bytes, in: folder) {
            other = otherName()
            let number = link(file, as: other, in: folder)
            guard number == 0 else { throw failure(number) }
        } else {
            other = try unsafe writeUnderOtherName(bytes, in: folder)
        }
        guard unsafe renameat(folder.number, other, folder.number, name) == 0 else {
            let number = errno
            _ = unsafe unlinkat(folder.number, other, 0)
            throw failure(number)
        }
    }

    /// Returns a complete file without a name; nil if the file system has no such files.
    private static func nameless(
        _ bytes: UnsafeRawBufferPointer, in folder: OwnedDescriptor
    ) throws(AnalysisFailure) -> OwnedDescriptor? {
        let number = unsafe openat(folder.number, ".", namelessFlag | O_WRONLY | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            guard [EOPNOTSUPP, EISDIR, ENOENT, EINVAL].contains(errno) else { throw failure(errno) }
            return nil
        }
        let file = OwnedDescriptor(number)
        try unsafe fill(file, bytes)
        return file
    }

    /// Gives a nameless file a name, and returns 0 or an errno value.
    private static func link(_ file: OwnedDescriptor, as name: String, in folder: OwnedDescriptor) -> Int32 {
        let path = "/proc/self/fd/\(file.number)"
        return unsafe linkat(AT_FDCWD, path, folder.number, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
    }

    private static func otherName() -> String { ".sca-\(UInt64.random(in: .min ... .max))" }

    /// Writes a file in a file system without nameless files, and returns its name.
    private static func writeUnderOtherName(
        _ bytes: UnsafeRawBufferPointer, in folder: OwnedDescriptor
    ) throws(AnalysisFailure) -> String {
        let other = otherName()
        let number = unsafe openat(folder.number, other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw failure(errno) }
        let file = OwnedDescriptor(number)
        do throws(AnalysisFailure) {
            try unsafe fill(file, bytes)
        } catch {
            _ = unsafe unlinkat(folder.number, other, 0)
            throw error
        }
        return other
    }

    /// Gives a file another name, unless that name is taken, and returns 0 or an errno value.
    private static func place(_ other: String, as name: String, in folder: OwnedDescriptor) -> Int32 {
        if unsafe linkat(folder.number, other, folder.number, name, 0) == 0 {
            _ = unsafe unlinkat(folder.number, other, 0)
            return 0
        }
        guard [EPERM, ENOSYS, EOPNOTSUPP, EMLINK].contains(errno) else { return errno }
        // The file system has no hard links.
        var status = stat()
        guard unsafe fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) != 0 else { return EEXIST }
        return unsafe renameat(folder.number, other, folder.number, name) == 0 ? 0 : errno
    }

    private static func fill(_ file: OwnedDescriptor, _ bytes: UnsafeRawBufferPointer) throws(AnalysisFailure) {
        var written = 0
        while written < bytes.count {
            let count = unsafe Glibc.write(file.number, bytes.baseAddress! + written, bytes.count - written)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure(errno) }
            written += count
        }
        // Some file systems report only here that there is no room.
        guard fsync(file.number) == 0 else { throw failure(errno) }
    }

    private static func failure(_ number: Int32) -> AnalysisFailure {
        let words =
            switch number {
            case EEXIST: "There is a file of that name already. Name another one: nothing is replaced."
            case ENOENT, ENOTDIR: "The folder for the copy does not exist. Make it, or name another one."
            case EACCES, EPERM, EROFS: "The folder for the copy may not be written to. Name another one."
            case ENOSPC, EDQUOT: "There is no room for the copy. Make room, or name another folder."
            case EFBIG: "The copy is larger than files may be there. Name another folder, or ask for a smaller copy."
            default: "The copy could not be written (error \(number)). Check the disk, or name another folder."
            }
        return AnalysisFailure(.outputUnwritable, words)
    }

    /// The flag `O_TMPFILE`, which needs a feature test macro.
    ///
    /// Source: Linux, asm-generic/fcntl.h.
    private static let namelessFlag = 0o20_000_000 | O_DIRECTORY
}
