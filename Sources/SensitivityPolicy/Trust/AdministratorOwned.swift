// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Checks that only the administrator can change the files at a path.
package enum AdministratorOwned {
    /// Returns whether only the administrator can change the path, the folders above it and the contents below it.
    ///
    /// - Parameters:
    ///   - path: a file, or a folder with all its contents.
    ///   - owner: the administrator; only tests use another account than root.
    ///   - base: a folder that is trusted together with the folders above it.
    package static func holds(_ path: String, owner: UInt32 = 0, below base: String = "/") -> Bool {
        // Links are followed: the folders on the path with links are checked here, and the folders of the target below.
        guard let real = FilePath.resolved(path) else { return false }
        guard real == path || isLinkOfAdministrator(path, owner, base) else { return false }
        var part = real
        while part != base, part != "/" {
            guard isKept(part, owner) else { return false }
            part = FilePath.folder(of: part)
        }
        var budget = maximumEntryCount
        return isKeptWithin(real, owner, &budget)
    }

    /// Whether the administrator owns every folder and link on the path, and no other account can write to the folders.
    private static func isLinkOfAdministrator(_ path: String, _ owner: UInt32, _ base: String) -> Bool {
        var part = path
        while part != base, part != "/" {
            var status = stat()
            guard unsafe lstat(part, &status) == 0, status.st_uid == owner else { return false }
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            guard isLink || status.st_mode & 0o022 == 0 else { return false }
            part = FilePath.folder(of: part)
        }
        return true
    }

    private static func isKept(_ path: String, _ owner: UInt32) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_uid == owner else { return false }
        switch status.st_mode & S_IFMT {
        case S_IFREG, S_IFDIR: return status.st_mode & 0o022 == 0
        default: return false
        }
    }

    private static func isKeptWithin(_ path: String, _ owner: UInt32, _ budget: inout Int) -> Bool {
        guard let folder = unsafe opendir(path) else { return errno == ENOTDIR }
        defer { unsafe closedir(folder) }
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            budget -= 1
            let inner = "\(path)/\(name)"
            guard budget >= 0 else { return false }
            if isInnerLink(inner, owner) { continue }
            guard isKept(inner, owner), isKeptWithin(inner, owner, &budget) else { return false }
        }
        return true
    }

    /// Whether an entry is a link to a file in the same folder, such as the links for versions of libraries.
    private static func isInnerLink(_ path: String, _ owner: UInt32) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, status.st_uid == owner else {
            return false
        }
        var target = [CChar](repeating: 0, count: 256)
        let count = unsafe readlink(path, &target, target.count)
        return count > 0 && count < target.count && !target.prefix(count).contains(CChar(UInt8(ascii: "/")))
    }

    /// The largest number of checked files and folders below a path, far more than an installation has.
    private static let maximumEntryCount = 5000
}
