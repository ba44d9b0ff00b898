// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Replaces settings files as a whole, so a reader sees the old text or the new text.
package enum SettingsWriter {
    /// Sets a member of a person's own settings to true or false, and creates the file if there is none; nil removes the
    /// member.
    ///
    /// - Returns: the reason why the file is still refused, such as an unknown member, which is kept; otherwise nil.
    package static func setPersonal(
        _ key: String, to value: Bool?, in path: [String] = [], file: String
    ) throws(SettingsWriteFailure) -> SettingsError? {
        try change(file, modes: (0o700, 0o600)) {
            SettingsReader.personal(file)
        } by: { settings throws(SettingsError) in
            try settings.set(key, to: value, in: path)
        } check: { text throws(SettingsError) in
            _ = try UserSettings(parsing: text)
        }
    }

    /// Changes the administrator's settings.
    ///
    /// - Returns: the reason why readers refuse the file after the change, or nil if it is valid.
    static func changeAdministrator(
        by change: (inout SettingsValue) throws(SettingsError) -> Void
    ) throws(SettingsWriteFailure) -> SettingsError? {
        try self.change(PolicySources.administratorFile, modes: (0o755, 0o644)) {
            SettingsReader.administrator(PolicySources.administratorPath)
        } by: { settings throws(SettingsError) in
            try change(&settings)
        } check: { text throws(SettingsError) in
            _ = try AdministratorSettings(parsing: text)
        }
    }

    /// Reads, changes and replaces a file; other writers wait meanwhile, so their changes are not lost.
    private static func change(
        _ file: String, modes: (folder: mode_t, file: mode_t), read: () -> SettingsFile<String>,
        by change: (inout SettingsValue) throws(SettingsError) -> Void, check: (String) throws(SettingsError) -> Void
    ) throws(SettingsWriteFailure) -> SettingsError? {
        // If the file is refused, no folder or lock is created for it.
        if case .refused(let reason) = read() {
            throw SettingsWriteFailure(description: "\(file) \(reason). It was left as it is.")
        }
        guard makeFolders(FilePath.folder(of: file), modes.folder) else { throw failure(FilePath.folder(of: file)) }
        let lock = try SettingsLock(of: file)
        defer { lock.release() }
        let new: String
        do throws(SettingsError) {
            var settings = SettingsValue.object([:])
            let found = read()
            switch found {
            case .absent: break
            case .refused(let reason): throw SettingsError(reason)
            case .read(let text): settings = try SettingsValue(parsing: text)
            }
            let old = settings
            try change(&settings)
            new = try settings.text
            guard new.utf8.count <= SettingsReader.maximumByteCount else {
                throw SettingsError(
                    "would be larger than \(SettingsReader.maximumByteCount >> 10) KiB with this change. Remove entries"
                        + " first")
            }
            if case .read(let text) = found, settings == old { return fault(text, check) }
        } catch {
            throw SettingsWriteFailure(description: "\(file) \(error). It was left as it is.")
        }
        try replace(file, by: new, modes: modes)
        return fault(new, check)
    }

    private static func fault(_ text: String, _ check: (String) throws(SettingsError) -> Void) -> SettingsError? {
        do throws(SettingsError) {
            try check(text)
            return nil
        } catch {
            return error
        }
    }

    private static func replace(
        _ path: String, by text: String, modes: (folder: mode_t, file: mode_t)
    ) throws(SettingsWriteFailure) {
        // If the path is a link, the file behind it is replaced and the link is kept.
        var target = path
        if let resolved = FilePath.resolved(path) {
            target = resolved
        } else {
            var status = stat()
            guard unsafe lstat(path, &status) != 0 else {
                throw SettingsWriteFailure(description: "\(path) is a link that leads nowhere. Mend it or remove it.")
            }
        }
        var status = stat()
        let mode = unsafe stat(target, &status) == 0 ? status.st_mode & 0o755 | modes.file : modes.file
        let new = "\(target).new"
        // A killed writer may have left this file. The lock ensures that no other writer uses it.
        unsafe unlink(new)
        let file = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure(new) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe write(file, $0.baseAddress! + written, $0.count - written)
            }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            written += count
        }
        guard written == bytes.count, fchmod(file, mode) == 0, fsync(file) == 0, unsafe rename(new, target) == 0 else {
            let error = failure(target)
            unsafe unlink(new)
            throw error
        }
    }

    static func failure(_ path: String) -> SettingsWriteFailure {
        let number = errno
        return SettingsWriteFailure(
            description:
                "\(path) could not be written: \(unsafe String(cString: strerror(number))). Nothing was changed.",
            isForbidden: number == EACCES || number == EPERM)
    }

    private static func makeFolders(_ path: String, _ mode: mode_t) -> Bool {
        if unsafe access(path, F_OK) == 0 { return true }
        guard path != "/", makeFolders(FilePath.folder(of: path), mode) else { return false }
        guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else { return false }
        // `mkdir` applies the account's mask for new files, so the mode is set again.
        return unsafe chmod(path, mode) == 0
    }
}

/// The lock of a settings file, which one writer holds at a time.
///
/// The lock is a separate file beside the settings, because a rename replaces the settings. Only accounts that may
/// write the settings can open it, so no other account can block a writer.
private struct SettingsLock: ~Copyable {
    private let file: Int32

    /// Waits until no other writer holds the lock, five seconds at most.
    init(of path: String) throws(SettingsWriteFailure) {
        let lock = "\(path).lock"
        let file = unsafe open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { throw SettingsWriter.failure(lock) }
        for _ in 0..<500 {
            if flock(file, LOCK_EX | LOCK_NB) == 0 {
                self.file = file
                return
            }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            usleep(10_000)
        }
        let error = SettingsWriter.failure(path)
        close(file)
        guard !error.isForbidden else { throw error }
        throw SettingsWriteFailure(
            description: "\(path) is being changed by another program. Nothing was changed; try again.")
    }

    func release() {
        close(file)
    }
}
