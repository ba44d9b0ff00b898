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
    package static func setPersonal(
        _ key: String, to value: Bool, in table: [String] = [], file path: String
    ) throws(SettingsWriteFailure) {
        try set(key, to: value, in: table, file: path, found: SettingsReader.personal(path), modes: (0o700, 0o600)) {
            text throws(SettingsError) in _ = try UserSettings(parsing: text)
        }
    }

    /// Sets a switch in the administrator's settings.
    package static func setAdministrator(
        _ key: String, to value: Bool, in table: [String] = []
    ) throws(SettingsWriteFailure) {
        let found = SettingsReader.administrator(PolicySources.administratorPath)
        let path = PolicySources.administratorFile
        try set(key, to: value, in: table, file: path, found: found, modes: (0o755, 0o644)) {
            text throws(SettingsError) in _ = try AdministratorSettings(parsing: text)
        }
    }

    private static func set(
        _ key: String, to value: Bool, in table: [String], file path: String, found: SettingsFile<String>,
        modes: (folder: mode_t, file: mode_t), check: (String) throws(SettingsError) -> Void
    ) throws(SettingsWriteFailure) {
        let old: String
        switch found {
        case .absent: old = ""
        case .refused(let reason): throw SettingsWriteFailure(description: "\(path) \(reason).")
        case .read(let text): old = text
        }
        let new: String
        do throws(SettingsError) {
            try check(old)
            new = try SettingsEditor.setting(key, to: value, in: table, of: old)
            try check(new)
        } catch {
            throw SettingsWriteFailure(description: "\(path) \(error). It was left as it is.")
        }
        if new != old || found == .absent { try replace(path, by: new, modes: modes) }
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
