// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc

/// The identities of pipes, sockets and devices, each of which one reader has to itself.
enum StreamIdentities {
    private struct Identity: Hashable {
        let device, inode, kind: UInt64
    }

    /// - Throws: `ValidationError` if two names mean one pipe, socket or device: each reader would see a part of it.
    static func check(_ names: [String]) throws {
        var seen: [Identity: String] = [:]
        for name in names {
            guard let identity = identity(of: name) else { continue }
            guard let other = seen.updateValue(name, forKey: identity) else { continue }
            throw ValidationError(
                "\(TerminalText.printable(other)) and \(TerminalText.printable(name)) are one stream. Name it once.")
        }
    }

    /// Returns the identity of a stream; nil for a file, which may be read twice, and for a name of something else.
    private static func identity(of name: String) -> Identity? {
        var status = stat()
        let error = unsafe name == "-" ? fstat(STDIN_FILENO, &status) : stat(name, &status)
        let kind = status.st_mode & S_IFMT
        guard error == 0, [S_IFIFO, S_IFSOCK, S_IFCHR].contains(kind) else { return nil }
        // Several files of a folder may be one device.
        return kind == S_IFCHR
            ? Identity(device: 0, inode: UInt64(status.st_rdev), kind: UInt64(kind))
            : Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino), kind: UInt64(kind))
    }
}
