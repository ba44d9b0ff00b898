// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Glibc

/// The place to which an output path leads: the folder, the name in it, and the file that is there now.
struct OutputPlace: Sendable {
    /// The path of the folder.
    let folder: String
    let name: String
    let folderIdentity: FileIdentity
    /// The file in the place; nil if there is none.
    let existing: Existing?
    /// Whether the output path is a symbolic link, which may lead to no file.
    let isLink: Bool

    struct Existing: Sendable {
        let identity: FileIdentity
        /// The permissions of owner, group and others.
        let permissions: mode_t
        private let kind: mode_t

        init(_ status: stat) {
            identity = FileIdentity(status)
            permissions = status.st_mode & 0o777
            kind = status.st_mode & S_IFMT
        }

        var isRegular: Bool { kind == S_IFREG }
        var isFolder: Bool { kind == S_IFDIR }
    }

    /// The failure to find the place, with its errno value.
    struct Failure: Error {
        let number: Int32
    }

    var path: String { Self.path(of: name, in: folder) }

    /// Whether both places have the same file, or would have it after a file is created.
    func isSame(as other: OutputPlace) -> Bool {
        if let existing, let other = other.existing { return existing.identity == other.identity }
        return folderIdentity == other.folderIdentity && name == other.name
    }

    /// Follows all symbolic links of a path, even if the last link leads to no file.
    init(_ path: String) throws(Failure) {
        var (path, links) = (path, 0)
        while true {
            let (folder, name) = Self.parts(of: path)
            var status = stat()
            let result = unsafe lstat(path, &status)
            let number = errno
            guard result == 0 || number == ENOENT else { throw Failure(number: number) }
            if result == 0, status.st_mode & S_IFMT == S_IFLNK {
                links += 1
                guard links <= Self.mostLinks else { throw Failure(number: ELOOP) }
                path = Self.path(of: try Self.target(of: path), in: folder)
                continue
            }
            // A path that ends with a slash, "." or ".." names a folder.
            guard !["", ".", ".."].contains(name) else { throw Failure(number: result == 0 ? EISDIR : ENOENT) }
            guard let folderIdentity = FileIdentity(path: folder) else { throw Failure(number: errno) }
            self.folder = folder
            self.name = name
            self.folderIdentity = folderIdentity
            isLink = links > 0
            existing = result == 0 ? Existing(status) : nil
            return
        }
    }

    private static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    private static func path(of name: String, in folder: String) -> String {
        if name.hasPrefix("/") || folder == "." { return name }
        return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    private static func target(of link: String) throws(Failure) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(link, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { throw Failure(number: count < 0 ? errno : ENAMETOOLONG) }
        let target = bytes.prefix(count).map { UInt8(bitPattern: $0) }
        guard let text = String(validating: target, as: UTF8.self) else { throw Failure(number: EILSEQ) }
        return text
    }

    /// The largest number of symbolic links that are followed, as in Linux.
    private static let mostLinks = 40
}
