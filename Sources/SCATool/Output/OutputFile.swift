// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Foundation
internal import Glibc

/// A file that the command writes: beside its place until it is complete, and then in its place.
///
/// A write that fails ends the command with 74, at once and not by an error, on whose way up inputs would be waited
/// for that may never come. A file that was in the place before stays as it was.
final class OutputFile: Sendable {
    /// The path as the person has named it.
    private let name: String
    /// nil for standard output.
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

    /// Makes an empty file beside a place.
    ///
    /// - Parameter permissions: the most that the file may have. Of a new file, the process's mask takes some; another file
    ///   keeps those of the file that it replaces.
    /// - Throws: `CommandFailure` where the folder takes no file.
    static func beside(_ place: OutputPlace, name: String, permissions: mode_t) throws(CommandFailure) -> OutputFile {
        let unfinished = "\(place.folder)/.sca-\(UUID().uuidString)"
        let descriptor = unsafe open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
        guard descriptor >= 0 else { throw .unwritable(name, number: errno) }
        UnfinishedFiles.add(unfinished)
        // A file system without permissions refuses, and has none to lose.
        if let existing = place.existing { fchmod(descriptor, existing.permissions & permissions) }
        return OutputFile(name: name, target: Target(place: place, descriptor: descriptor, unfinished: unfinished))
    }

    /// The identity of the file beside the place; nil for standard output.
    var identity: FileIdentity? { target.flatMap { FileIdentity(regularFile: $0.descriptor) } }

    /// The folder of the file; for standard output one that takes files.
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

    /// Puts the file in its place, instead of what was there.
    func finish() {
        guard let target else { return }
        // Some file systems say only here that there is no room.
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

    /// Removes what was written so far.
    func abandon() {
        if let target { UnfinishedFiles.remove(target.unfinished) }
    }

    /// Gives a file its name, unless a file of that name has appeared.
    private static func placeNew(_ unfinished: String, at path: String) -> Bool {
        if unsafe link(unfinished, path) == 0 {
            _ = unsafe unlink(unfinished)
            return true
        }
        guard [EPERM, ENOSYS, EOPNOTSUPP, EMLINK].contains(errno) else { return false }
        // A file system without hard links.
        var status = stat()
        guard unsafe lstat(path, &status) != 0 else {
            errno = EEXIST
            return false
        }
        return unsafe rename(unfinished, path) == 0
    }
}
