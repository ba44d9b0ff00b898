// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
internal import Glibc

/// A folder for files of the command, which may not exist yet.
enum OutputFolder {
    /// Checks that a folder can be written to or created, without creating it.
    ///
    /// - Parameter remedy: the remedy for a failure, as a sentence.
    /// - Throws: `CommandFailure` with 74 if the check fails; a later write may still fail after a successful check.
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

    /// Writes a new file that only its owner may read, under the first name that is free.
    ///
    /// - Throws: `outputUnwritable` with the reason, also if no name is free.
    static func write(
        _ bytes: UnsafeRawBufferPointer, in folder: String, _ names: NumberedNames
    ) throws(AnalysisFailure) -> InputPath {
        let number = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw AnalysisFailure(.outputUnwritable, "the folder cannot be opened (\(reason))")
        }
        let name = try unsafe NewFile.write(bytes, in: OwnedDescriptor(number), names: names.lazy.map(\.text))
        guard let name else { throw AnalysisFailure(.outputUnwritable, noFreeName) }
        return InputPath(name)
    }

    /// The reason for a file that is not written because all of its names are taken.
    static let noFreeName = "there are \(NumberedNames.count) files of this name in the folder"

    /// Makes a folder for files that an option writes, unless it exists.
    ///
    /// - Parameters:
    ///   - option: the option that names the folder.
    ///   - isRehearsal: whether it is only checked that the folder could be made.
    /// - Throws: `CommandFailure` with 74 if the folder cannot be made or written to.
    static func make(_ path: String, for option: String, isRehearsal: Bool) throws(CommandFailure) {
        let remedy = "Name a folder that you may write to with \(option)."
        guard !isRehearsal else {
            // Only one folder would be made.
            let isThere = InputPath(path).status(followingLinks: true) != nil
            let parent = InputPath(path).folder
            guard isThere || parent.status(followingLinks: true) != nil else {
                throw .unwritable(path, "(\(unsafe String(cString: strerror(ENOENT)))). \(remedy)")
            }
            return try requireWritable(path, remedy: remedy)
        }
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .unwritable(path, "(\(unsafe String(cString: strerror(errno)))). \(remedy)")
        }
        try requireWritable(path, remedy: remedy)
    }
}
