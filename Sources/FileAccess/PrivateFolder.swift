// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// A folder below the cache folder of an account, to which no other account can write.
package enum PrivateFolder {
    /// Makes the missing folders of a cache, and returns whether only this account can write to the last folder.
    ///
    /// Above the root, only the folder of all caches is made, such as `~/.cache`. Some accounts have no home folder on
    /// purpose. A folder made here must not take the place of a home folder that is mounted later.
    /// Source: XDG Base Directory Specification 0.8, "Referencing this specification".
    ///
    /// - Parameters:
    ///   - names: the names of the folders below the root, each inside the folder before it.
    ///   - mode: the permissions of new folders.
    package static func make(_ names: [String], below root: String, mode: mode_t) -> Bool {
        var paths = [folder(of: root), root]
        for name in names { paths.append("\(paths.last ?? root)/\(name)") }
        for path in paths where !path.isEmpty {
            guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else { return false }
        }
        return isOwn(paths.last ?? root, kind: S_IFDIR, forbidding: 0o022)
    }

    /// Whether no other account can list a folder, or exchange it or a folder above it.
    ///
    /// - Parameter path: the path of the folder, without links.
    package static func isSecret(_ path: String) -> Bool {
        guard isOwn(path, kind: S_IFDIR, forbidding: 0o077) else { return false }
        var folder = path
        while folder != "/", !folder.isEmpty {
            folder = self.folder(of: folder)
            var status = stat()
            guard unsafe lstat(folder.isEmpty ? "/" : folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
                status.st_uid == 0 || status.st_uid == geteuid(),
                // In a folder such as /tmp, accounts cannot exchange what belongs to others.
                status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0
            else { return false }
        }
        return true
    }

    /// Whether a file and its folder belong to this account, and no other account can write to them.
    package static func isOwnFile(_ path: String) -> Bool {
        isOwn(path, kind: S_IFREG, forbidding: 0o022) && isOwn(folder(of: path), kind: S_IFDIR, forbidding: 0o022)
    }

    private static func isOwn(_ path: String, kind: mode_t, forbidding permissions: mode_t) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == kind && status.st_uid == geteuid()
            && status.st_mode & permissions == 0
    }

    private static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
}
