// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Foundation
internal import Glibc
internal import Synchronization

/// Moves judged files into a folder; it never replaces a file, and moves no file that has changed since its analysis.
struct FileMover: Sendable {
    /// The folder as the person named it.
    let folder: String
    /// Whether files are only named and not moved.
    let isRehearsal: Bool
    private let moves = Moves()

    init(folder: String, isRehearsal: Bool) {
        (self.folder, self.isRehearsal) = (folder, isRehearsal)
    }

    /// The reason for which a file stays in its place, for the person.
    struct Failure: Error {
        let description: String
    }

    /// Makes the folder, unless it exists or files are not moved.
    ///
    /// - Throws: `CommandFailure` if the folder cannot be made or written to.
    func prepare() throws(CommandFailure) {
        try OutputFolder.make(folder, for: "--move-to", isRehearsal: isRehearsal)
    }

    /// The identity of the folder; nil if it does not exist.
    var identity: FileIdentity? { FileIdentity(path: folder) }

    /// Moves a file, also to another file system.
    ///
    /// The folder of the file is held open, so that nobody can exchange it during the move.
    ///
    /// - Parameter judged: the state of the file before its analysis.
    /// - Returns: the new path.
    func move(_ path: InputPath, judged: FileState) throws(Failure) -> InputPath {
        let source = try Entry(path)
        guard moves.leftUnchanged(source.state, since: judged) else { throw Self.changed }
        guard !isRehearsal else { return try rehearse(path.name) }
        let target = try Self.open(InputPath(folder))
        let name = try place(path.name) { name in source.rename(to: name, in: target) }
        guard let name else { return try copy(source, to: target, judged: judged) }
        guard let state = Entry.state(of: name, in: target), state.identity == judged.identity else {
            // Another file took the name at the last moment; it goes back, unless its name is taken again.
            _ = Entry(name, in: target).rename(to: source.name, in: source.folder)
            throw Self.changed
        }
        moves.note(state, judged: judged)
        return InputPath(folder).appending(name)
    }

    /// Returns the path that a move would give a file, after the moves that were rehearsed before.
    private func rehearse(_ name: InputPath) throws(Failure) -> InputPath {
        let free = try place(name) { name in
            let path = InputPath(folder).appending(name)
            return path.status(followingLinks: false) == nil && moves.plan(name) ? 0 : EEXIST
        }
        return InputPath(folder).appending(free ?? name)
    }

    /// Calls a function with names that are like a name until one is free.
    ///
    /// - Parameter rename: gives a file the name, and returns 0 or an errno value.
    /// - Returns: the name; nil if the file is on another file system.
    private func place(_ name: InputPath, _ rename: (InputPath) -> Int32) throws(Failure) -> InputPath? {
        for name in NumberedNames(name) {
            switch rename(name) {
            case 0: return name
            case EXDEV: return nil
            case EEXIST: continue
            case let number: throw Self.failure(number)
            }
        }
        throw Self.failure("there are \(NumberedNames.count) files of this name in the folder")
    }

    /// Copies a file, and removes the file if it is still the file that was judged.
    private func copy(_ source: Entry, to target: OwnedDescriptor, judged: FileState) throws(Failure) -> InputPath {
        let file = try source.open()
        guard let state = FileState(file), moves.leftUnchanged(state, since: judged) else { throw Self.changed }
        let unfinished = "\(folder)/.sca-\(UUID().uuidString)"
        let copy = unsafe Glibc.open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard copy >= 0 else { throw Self.failure(errno) }
        UnfinishedFiles.add(unfinished)
        defer {
            close(copy)
            UnfinishedFiles.remove(unfinished)
        }
        var number: Int32 = 0
        let count = unsafe file.readPieces { piece in
            if number == 0 { number = unsafe DescriptorWriter.write(Array(piece), to: copy) }
        }
        guard number == 0 else { throw Self.failure(number) }
        var status = stat()
        guard count == judged.byteCount, unsafe fstat(file.number, &status) == 0, FileState(status) == state else {
            throw Self.changed
        }
        // A failure is ignored, because a file system without permissions or times has none to keep.
        _ = fchmod(copy, status.st_mode & 0o777)
        _ = unsafe futimens(copy, [status.st_atim, status.st_mtim])
        guard fsync(copy) == 0 else { throw Self.failure(errno) }
        let made = Entry(InputPath(unfinished).name, in: target)
        guard let name = try place(source.name, { made.rename(to: $0, in: target) }) else { throw Self.failure(EXDEV) }
        UnfinishedFiles.forget(unfinished)
        try remove(source, judged: judged)
        if let state = FileState(file) { moves.note(state, judged: judged) }
        return InputPath(folder).appending(name)
    }

    /// Removes a file that was copied, unless another file has taken its name meanwhile.
    private func remove(_ source: Entry, judged: FileState) throws(Failure) {
        let own = InputPath(".sca-\(UUID().uuidString)")
        let number = source.rename(to: own, in: source.folder)
        guard number == 0 else { throw Self.failure(number) }
        let renamed = Entry(own, in: source.folder)
        guard let state = Entry.state(of: own, in: source.folder), state.hasSameContent(as: judged) else {
            _ = renamed.rename(to: source.name, in: source.folder)
            throw Self.failure("it was copied, but it has changed since, so it was not removed")
        }
        guard unsafe own.withCString({ unsafe unlinkat(source.folder.number, $0, 0) }) == 0 else {
            throw Self.failure(errno)
        }
    }

    /// The moves so far: the states in which they left files that may have other names, and the names of a rehearsal.
    private final class Moves: Sendable {
        private let states = Mutex<[FileIdentity: FileState]>([:])
        private let plannedNames = Mutex<Set<[UInt8]>>([])

        /// Records the state in which a move has left a file, because a new name changes the state of all its names.
        func note(_ state: FileState, judged: FileState) {
            guard state.hasSameContent(as: judged) else { return }
            states.withLock { $0[state.identity] = state }
        }

        /// Whether a file is as it was judged, apart from moves of its other names.
        func leftUnchanged(_ state: FileState?, since judged: FileState) -> Bool {
            guard let state else { return false }
            return state == judged
                || state.hasSameContent(as: judged) && states.withLock { $0[state.identity] } == state
        }

        /// Takes a name in a rehearsal, and returns whether it was free.
        func plan(_ name: InputPath) -> Bool { plannedNames.withLock { $0.insert(Array(name.bytes)).inserted } }
    }

    /// A file by its name in an open folder.
    private struct Entry {
        let name: InputPath
        let folder: OwnedDescriptor

        init(_ name: InputPath, in folder: OwnedDescriptor) {
            (self.name, self.folder) = (name, folder)
        }

        init(_ path: InputPath) throws(Failure) {
            self.init(path.name, in: try FileMover.open(path.folder))
        }

        /// The state of a regular file; nil for anything else, such as a link.
        var state: FileState? { Self.state(of: name, in: folder) }

        static func state(of name: InputPath, in folder: OwnedDescriptor) -> FileState? {
            var status = stat()
            let result = unsafe name.withCString {
                unsafe fstatat(folder.number, $0, &status, AT_SYMLINK_NOFOLLOW)
            }
            return result == 0 && status.st_mode & S_IFMT == S_IFREG ? FileState(status) : nil
        }

        /// Opens the file for reading.
        func open() throws(Failure) -> OwnedDescriptor {
            let number = unsafe name.withCString {
                unsafe openat(folder.number, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            }
            guard number >= 0 else { throw FileMover.failure(errno) }
            return OwnedDescriptor(number)
        }

        /// Gives the file a name that no other file has, and returns 0 or an errno value.
        func rename(to newName: InputPath, in newFolder: OwnedDescriptor) -> Int32 {
            unsafe name.withCString { old in
                unsafe newName.withCString { new in
                    unsafe FileRenaming.rename(old, in: folder, to: new, in: newFolder)
                }
            }
        }
    }

    private static func open(_ folder: InputPath) throws(Failure) -> OwnedDescriptor {
        let number = unsafe folder.withCString { unsafe Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard number >= 0 else { throw failure(errno) }
        return OwnedDescriptor(number)
    }

    private static let changed = failure("it is a link, or it has changed since it was judged")

    private static func failure(_ number: Int32) -> Failure {
        Failure(description: unsafe String(cString: strerror(number)))
    }

    private static func failure(_ text: String) -> Failure { Failure(description: text) }
}
