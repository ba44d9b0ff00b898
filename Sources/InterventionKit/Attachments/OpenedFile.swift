// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Foundation
internal import Glibc
internal import Hashing

/// An open file, which stays the same file when its path leads to another file.
struct OpenedFile: Sendable {
    private let descriptor: OwnedDescriptor

    /// Opens a file; nil if there is no regular file that can be read.
    init?(path: String) {
        guard let descriptor = try? OwnedDescriptor.openRegularFile(at: path) else { return nil }
        self.descriptor = descriptor
    }

    var version: FileVersion? { FileVersion(descriptor) }

    /// A path of the open file, which works in this process as long as this value exists.
    ///
    /// Source: proc(5), `/proc/self/fd`.
    var url: URL { URL(fileURLWithPath: "/proc/self/fd/\(descriptor.number)") }

    /// Returns a handle for the app, at the beginning of the file.
    func handle() -> FileHandle? {
        // Opened again by its path, because a duplicated descriptor would share its position.
        OpenedFile(path: url.path).flatMap { file in
            let number = fcntl(file.descriptor.number, F_DUPFD_CLOEXEC, 0)
            return number < 0 ? nil : FileHandle(fileDescriptor: number, closeOnDealloc: true)
        }
    }

    /// Returns the SHA-256 of the content; reading takes time, so do not call it on a thread that others wait for.
    ///
    /// - Parameters:
    ///   - byteCount: the number of bytes to read; a file that grows meanwhile gets another version.
    ///   - isCancelled: called before each chunk of 256 KiB.
    /// - Returns: nil if the file cannot be read or hashed.
    /// - Throws: `CancellationError`.
    func digest(byteCount: Int, isCancelled: () -> Bool) throws(CancellationError) -> SHA256Digest? {
        try withExtendedLifetime(descriptor) { () throws(CancellationError) in
            let file = FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false)
            guard (try? file.seek(toOffset: 0)) != nil, var hash = try? SHA256() else { return nil }
            var remaining = byteCount
            while remaining > 0 {
                if isCancelled() { throw CancellationError() }
                guard let chunk = try? file.read(upToCount: min(remaining, 1 << 18)) else { return nil }
                if chunk.isEmpty { break }
                unsafe chunk.withUnsafeBytes { unsafe hash.update($0) }
                remaining -= chunk.count
            }
            return try? hash.digest()
        }
    }
}
