// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Reads settings files, and refuses files that another account may have written.
enum SettingsReader {
    /// The largest size of a settings file in bytes, far more than a person writes by hand.
    static let maximumByteCount = 64 << 10

    /// Reads a person's own settings file; its path may be a symbolic link.
    ///
    /// - Parameter owner: the account that may have written the file, besides root.
    static func personal(_ path: String, owner: uid_t = getuid()) -> SettingsFile<String> {
        // Without O_NONBLOCK, a pipe of that name would block the app.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return failure(errno) }
        defer { close(file) }
        return content(of: file, owners: [0, owner], ownGroup: owner)
    }

    /// Reads an app's entitlement file, which may have any owner, because any account may install the app.
    static func entitlement(_ path: String) -> SettingsFile<String> {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return failure(errno) }
        defer { close(file) }
        return content(of: file, owners: nil)
    }

    /// Reads a file of the administrator.
    ///
    /// Every folder on the path has to belong to the administrator, must not be writable for others, and must not be a
    /// link. Otherwise another account could choose the file.
    ///
    /// - Parameters:
    ///   - base: the trusted folder in which the path begins.
    ///   - path: the names of the folders and of the file.
    ///   - owner: the administrator; only tests use another account than root.
    static func administrator(_ path: [String], below base: String = "/", owner: uid_t = 0) -> SettingsFile<String> {
        var folder = unsafe open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return failure(errno) }
        defer { close(folder) }
        for (position, name) in path.enumerated() {
            let isFile = position == path.count - 1
            var status = stat()
            guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return failure(errno) }
            if status.st_mode & S_IFMT == S_IFLNK {
                return .refused("lies behind a link, \(name); put the file itself there")
            }
            guard isFile || status.st_mode & S_IFMT == S_IFDIR else {
                return .refused("lies in \(name), which is no folder; make it one")
            }
            if !isFile, let reason = reason(against: status, owners: [owner]) {
                return .refused("lies in the folder \(name), which \(reason)")
            }
            let flags = isFile ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_RDONLY | O_DIRECTORY
            let next = unsafe openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW)
            guard next >= 0 else { return failure(errno) }
            close(folder)
            folder = next
        }
        return content(of: folder, owners: [owner])
    }

    private static func failure(_ number: Int32) -> SettingsFile<String> {
        switch number {
        case ENOENT, ENOTDIR: .absent
        case EACCES, EPERM: .refused("cannot be read by this account; its folders need the mode 0755 and it 0644")
        case ENXIO: .refused("is no regular file; put a text file there")
        default: .refused("cannot be read (error \(number)); check the disk")
        }
    }

    private static func content(of file: Int32, owners: Set<uid_t>?, ownGroup: gid_t? = nil) -> SettingsFile<String> {
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { return failure(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .refused("is no regular file; put a text file there") }
        if let owners, let reason = reason(against: status, owners: owners, ownGroup: ownGroup) {
            return .refused(reason)
        }
        guard status.st_size <= maximumByteCount else {
            return .refused("is larger than \(maximumByteCount >> 10) KiB; remove what is no setting")
        }
        var bytes = [UInt8](repeating: 0, count: maximumByteCount + 1)
        var count = 0
        while count < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(file, buffer.baseAddress! + count, buffer.count - count)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { return failure(errno) }
            if got == 0 { break }
            count += got
        }
        guard count <= maximumByteCount else {
            return .refused("is larger than \(maximumByteCount >> 10) KiB; settings need a few lines")
        }
        guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            return .refused("is not text in UTF-8; save it as such")
        }
        // A zero byte is refused, because C code would read the text only up to it.
        guard !bytes.prefix(count).contains(0) else { return .refused("holds zeros, so it is damaged; write it anew") }
        return .read(text)
    }

    /// Returns the reason why another account may have written a file or a folder, or nil.
    private static func reason(against status: stat, owners: Set<uid_t>, ownGroup: gid_t? = nil) -> String? {
        guard owners.contains(status.st_uid) else {
            let wanted = owners.contains(0) && owners.count == 1 ? "root" : "you"
            return "belongs to the account \(status.st_uid); it has to belong to \(wanted)"
        }
        // On systems with a group for each account, by the same number, editors leave files writable for the group.
        guard status.st_mode & (status.st_gid == ownGroup ? 0o002 : 0o022) == 0 else {
            return "may be written by others; take that away with: chmod go-w"
        }
        return nil
    }
}

extension SettingsFile<String> {
    /// Parses the text as settings; a fault makes the file refused.
    func parsed<Settings: Sendable & Hashable>(
        _ parse: (String) throws(SettingsError) -> Settings
    ) -> SettingsFile<Settings> {
        switch self {
        case .absent: return .absent
        case .refused(let reason): return .refused(reason)
        case .read(let text):
            do {
                return .read(try parse(text))
            } catch {
                return .refused("\(error)")
            }
        }
    }
}
