// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Why settings could not be changed, in words for whoever wanted it.
package struct SettingsWriteFailure: Error, CustomStringConvertible {
    package let description: String
    /// Whether another account may do what this one may not.
    package var isForbidden = false
}

/// Replaces settings files as a whole: whoever reads them sees the old text or the new one.
package enum SettingsWriter {
    /// Sets a switch in a person's own settings, and makes the file where there is none.
    ///
    /// - Returns: why the file is not obeyed all the same, or nil: a member that is no setting is kept, and refused.
    package static func setPersonal(
        _ key: String, to value: Bool, in path: [String] = [], file: String
    ) throws(SettingsWriteFailure) -> SettingsError? {
        try set(key, to: value, in: path, file: file, found: SettingsReader.personal(file), modes: (0o700, 0o600)) {
            text throws(SettingsError) in _ = try UserSettings(parsing: text)
        }
    }

    /// Sets a switch in the administrator's settings.
    ///
    /// - Returns: why the file is not obeyed all the same, or nil.
    package static func setAdministrator(
        _ key: String, to value: Bool, in path: [String] = []
    ) throws(SettingsWriteFailure) -> SettingsError? {
        let found = SettingsReader.administrator(PolicySources.administratorPath)
        let file = PolicySources.administratorFile
        return try set(key, to: value, in: path, file: file, found: found, modes: (0o755, 0o644)) {
            text throws(SettingsError) in _ = try AdministratorSettings(parsing: text)
        }
    }

    private static func set(
        _ key: String, to value: Bool, in path: [String], file: String, found: SettingsFile<String>,
        modes: (folder: mode_t, file: mode_t), check: (String) throws(SettingsError) -> Void
    ) throws(SettingsWriteFailure) -> SettingsError? {
        let new: String
        do throws(SettingsError) {
            var settings = SettingsValue.object([:])
            switch found {
            case .absent: break
            case .refused(let reason): throw SettingsError(reason)
            case .read(let text): settings = try SettingsValue(parsing: text)
            }
            let old = settings
            try settings.set(key, to: value, in: path)
            new = try settings.text
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
        // Whoever keeps settings behind a link keeps the link.
        var target = path
        if let resolved = FilePath.resolved(path) {
            target = resolved
        } else {
            var status = stat()
            guard unsafe lstat(path, &status) != 0 else {
                throw SettingsWriteFailure(description: "\(path) is a link that leads nowhere. Mend it or remove it.")
            }
        }
        func failure(_ what: String) -> SettingsWriteFailure {
            let reason = unsafe String(cString: strerror(errno))
            return SettingsWriteFailure(
                description: "\(what) could not be written: \(reason). Nothing was changed.",
                isForbidden: errno == EACCES || errno == EPERM)
        }
        let folder = FilePath.folder(of: target)
        guard makeFolders(folder, modes.folder) else { throw failure(folder) }
        var status = stat()
        let mode = unsafe stat(target, &status) == 0 ? status.st_mode & 0o755 | modes.file : modes.file
        let new = "\(target).\(getpid()).new"
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

    private static func makeFolders(_ path: String, _ mode: mode_t) -> Bool {
        if unsafe access(path, F_OK) == 0 { return true }
        guard path != "/", makeFolders(FilePath.folder(of: path), mode) else { return false }
        guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else { return false }
        // Whatever the account's mask for new files takes away or leaves.
        return unsafe chmod(path, mode) == 0
    }
}
