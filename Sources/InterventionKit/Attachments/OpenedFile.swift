// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Foundation
internal import Glibc
internal import Hashing

/// A file that stays the same one while names change: what is told apart by its content, judged and shown.
struct OpenedFile: Sendable {
    private let descriptor: OwnedDescriptor

    /// - Returns: nil where there is no file that can be read.
    init?(path: String) {
        guard let descriptor = try? OwnedDescriptor.openRegularFile(at: path) else { return nil }
        self.descriptor = descriptor
    }

    var version: FileVersion? { FileVersion(descriptor) }

    /// A name of the open file in this process, which lasts as long as this value does.
    ///
    /// Source: proc(5), `/proc/self/fd`.
    var url: URL { URL(fileURLWithPath: "/proc/self/fd/\(descriptor.number)") }

    /// A handle for the app, at the beginning of the file.
    func handle() -> FileHandle? {
        // By its name, so that the handle has a position of its own.
        OpenedFile(path: url.path).flatMap { file in
            let number = fcntl(file.descriptor.number, F_DUPFD_CLOEXEC, 0)
            return number < 0 ? nil : FileHandle(fileDescriptor: number, closeOnDealloc: true)
        }
    }

    /// The SHA-256 of the content; takes as long as reading does, so not on a thread that others wait for.
    ///
    /// - Parameters:
    ///   - byteCount: how much is read; what grows meanwhile has another version.
    ///   - isCancelled: is asked now and then.
    /// - Returns: nil where the file cannot be read or hashed.
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
