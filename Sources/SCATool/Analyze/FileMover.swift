// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Foundation
internal import Glibc

/// Moves judged files into a folder; it never replaces a file, and moves no file that has changed since its analysis.
struct FileMover: Sendable {
    /// The folder as the person named it.
    let folder: String
    /// Whether files are only named and not moved.
    let isRehearsal: Bool

    /// The reason for which a file stays in its place, for the person.
    struct Failure: Error {
        let description: String
    }

    /// Makes the folder, unless it exists or files are not moved.
    ///
    /// - Throws: `CommandFailure` if the folder cannot be made or written to.
    func prepare() throws(CommandFailure) {
        let remedy = "Name a folder that you may write to with --move-to."
        guard !isRehearsal else { return try OutputFolder.requireWritable(folder, remedy: remedy) }
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .unwritable(folder, "(\(unsafe String(cString: strerror(errno)))). \(remedy)")
        }
        try OutputFolder.requireWritable(folder, remedy: remedy)
    }

    /// The identity of the folder; nil if it does not exist.
    var identity: FileIdentity? { FileIdentity(path: folder) }

    /// Moves a file, also to another file system.
    ///
    /// - Parameter judged: the state of the file before its analysis.
    /// - Returns: the new path.
    func move(_ path: InputPath, judged: FileState) throws(Failure) -> InputPath {
        guard let status = path.status(followingLinks: false) else { throw Self.failure("it cannot be found") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Self.failure("it is a link; move its target") }
        guard FileState(status) == judged else { throw Self.failure("it has changed since it was judged") }
        guard !isRehearsal else { return InputPath(folder).appending(path.name) }
        let place = try reserve(path.name)
        guard
            unsafe place.withCString({ target in
                unsafe path.withCString { unsafe rename($0, target) }
            }) != 0
        else { return place }
        let number = errno
        do throws(Failure) {
            guard number == EXDEV else { throw Self.failure(number) }
            try copy(path, to: place, judged: judged)
            return place
        } catch {
            _ = unsafe place.withCString { unsafe unlink($0) }
            throw error
        }
    }

    /// Creates an empty file under a free name in the folder, so no other program can take the name meanwhile.
    private func reserve(_ name: InputPath) throws(Failure) -> InputPath {
        for number in 1...Self.mostNames {
            let place = InputPath(folder).appending(number == 1 ? name : Self.numbered(name, number))
            let descriptor = unsafe place.withCString { path in
                unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            }
            if descriptor >= 0 {
                close(descriptor)
                return place
            }
            guard errno == EEXIST else { throw Self.failure(errno) }
        }
        throw Self.failure("there are \(Self.mostNames) files of this name in the folder")
    }

    /// Returns "name (2).jpg" for "name.jpg".
    private static func numbered(_ name: InputPath, _ number: Int) -> InputPath {
        let addition = Array(" (\(number))".utf8)
        // A name may begin with a dot.
        guard let dot = name.bytes.dropFirst().lastIndex(of: UInt8(ascii: ".")) else {
            return InputPath(bytes: name.bytes + addition)
        }
        return InputPath(bytes: name.bytes[..<dot] + addition + name.bytes[dot...])
    }

    /// Copies a file to a reserved place, and removes the file if it is still the file that was judged.
    private func copy(_ path: InputPath, to place: InputPath, judged: FileState) throws(Failure) {
        let source = unsafe path.withCString { unsafe open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        guard source >= 0 else { throw Self.failure(errno) }
        let file = OwnedDescriptor(source)
        guard FileState(file) == judged else { throw Self.failure("it has changed since it was judged") }
        let unfinished = "\(folder)/.sca-\(UUID().uuidString)"
        let target = unsafe open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw Self.failure(errno) }
        UnfinishedFiles.add(unfinished)
        defer {
            close(target)
            UnfinishedFiles.remove(unfinished)
        }
        var number: Int32 = 0
        let count = file.readPieces { piece in
            if number == 0 { number = unsafe DescriptorWriter.write(Array(piece), to: target) }
        }
        guard number == 0 else { throw Self.failure(number) }
        var status = stat()
        guard count == judged.byteCount, unsafe fstat(source, &status) == 0, FileState(status) == judged else {
            throw Self.failure("it has changed since it was judged")
        }
        // A failure is ignored, because a file system without permissions or times has none to keep.
        _ = fchmod(target, status.st_mode & 0o777)
        _ = unsafe futimens(target, [status.st_atim, status.st_mtim])
        guard fsync(target) == 0 else { throw Self.failure(errno) }
        guard unsafe place.withCString({ unsafe rename(unfinished, $0) }) == 0 else { throw Self.failure(errno) }
        UnfinishedFiles.forget(unfinished)
        guard unsafe path.withCString({ unsafe unlink($0) }) == 0 else { throw Self.failure(errno) }
    }

    private static func failure(_ number: Int32) -> Failure {
        Failure(description: unsafe String(cString: strerror(number)))
    }

    private static func failure(_ text: String) -> Failure { Failure(description: text) }

    private static let mostNames = 10_000
}
