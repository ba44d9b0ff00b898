// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Foundation
internal import Glibc

/// Standard output, or a file that is written under a temporary name in its folder and renamed when it is complete.
///
/// A failed write ends the command with 74 at once. A thrown error would first wait for inputs that may never come. An
/// earlier file at the path then stays unchanged.
final class OutputFile: Sendable {
    /// The path as the person named it.
    private let name: String
    /// The final path and the unfinished file; nil for standard output.
    private let target: Target?

    private struct Target {
        let place: OutputPlace
        let descriptor: Int32
        let unfinished: String
    }

    private init(name: String, target: Target?) {
        self.name = name
        self.target = target
    }

    deinit {
        if let target { close(target.descriptor) }
    }

    static var standardOutput: OutputFile { OutputFile(name: "-", target: nil) }

    /// Creates an empty, unfinished file in the folder of a place.
    ///
    /// - Parameter permissions: the largest set of permissions. A new file gets them, except those of the process's
    ///   mask. A replacement gets those of them that the replaced file has.
    /// - Throws: `CommandFailure` if no file can be created in the folder.
    static func beside(_ place: OutputPlace, name: String, permissions: mode_t) throws(CommandFailure) -> OutputFile {
        let unfinished = "\(place.folder)/.sca-\(UUID().uuidString)"
        let descriptor = unsafe open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
        guard descriptor >= 0 else { throw .unwritable(name, number: errno) }
        UnfinishedFiles.add(unfinished)
        // A failure is ignored, because a file system without permissions has none to keep.
        if let existing = place.existing { fchmod(descriptor, existing.permissions & permissions) }
        return OutputFile(name: name, target: Target(place: place, descriptor: descriptor, unfinished: unfinished))
    }

    /// The identity of the unfinished file; nil for standard output.
    var identity: FileIdentity? { target.flatMap { FileIdentity(regularFile: $0.descriptor) } }

    /// The folder of the file; for standard output, the folder for temporary files.
    var folder: String { target?.place.folder ?? FileManager.default.temporaryDirectory.path }

    func write(_ text: String) {
        write(Array(text.utf8))
    }

    func write(_ bytes: [UInt8]) {
        guard let target else { return StandardOutput.write(bytes) }
        let number = DescriptorWriter.write(bytes, to: target.descriptor)
        guard number == 0 else { end(number) }
    }

    /// Ends the command because the file cannot be written.
    func end(_ number: Int32) -> Never {
        CommandFailure.unwritable(target == nil ? "standard output" : name, number: number).end()
    }

    /// Renames the complete file to its final path, where it may replace an earlier file.
    func finish() {
        guard let target else { return }
        // Some file systems report only here that there is no room.
        guard fsync(target.descriptor) == 0 else { end(errno) }
        let (unfinished, path) = (target.unfinished, target.place.path)
        let isPlaced =
            target.place.existing == nil
            ? Self.placeNew(unfinished, at: path) : unsafe rename(unfinished, path) == 0
        guard isPlaced else {
            let number = errno
            guard number == EEXIST else { end(number) }
            CommandFailure.unwritable(name, "since another program has made it meanwhile. Name another file.").end()
        }
        UnfinishedFiles.forget(unfinished)
    }

    /// Removes the unfinished file.
    func abandon() {
        if let target { UnfinishedFiles.remove(target.unfinished) }
    }

    /// Gives a file its name, unless another file of that name has appeared.
    private static func placeNew(_ unfinished: String, at path: String) -> Bool {
        if unsafe link(unfinished, path) == 0 {
            _ = unsafe unlink(unfinished)
            return true
        }
        guard [EPERM, ENOSYS, EOPNOTSUPP, EMLINK].contains(errno) else { return false }
        // The file system has no hard links.
        var status = stat()
        guard unsafe lstat(path, &status) != 0 else {
            errno = EEXIST
            return false
        }
        return unsafe rename(unfinished, path) == 0
    }
}
