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
    ///   - isSecret: whether other accounts must not even be able to list the last folder.
    package static func make(_ names: [String], below root: String, mode: mode_t, isSecret: Bool = false) -> Bool {
        let above = String(root[..<(root.lastIndex(of: "/") ?? root.startIndex)])
        var paths = [above, root]
        for name in names { paths.append("\(paths.last ?? root)/\(name)") }
        for path in paths where !path.isEmpty {
            guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else { return false }
        }
        return isOwn(paths.last ?? root, forbidding: isSecret ? 0o077 : 0o022)
    }

    /// Whether a folder belongs to this account, is no link, and has none of the forbidden permissions.
    package static func isOwn(_ path: String, forbidding permissions: mode_t) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & permissions == 0
    }
}
