// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import DecoderHost
internal import DecoderProtocol
internal import Foundation
internal import Glibc

/// What a file held at one moment, and what shows that it has not been written to since.
struct FileContent: Sendable, Hashable {
    /// Tells contents apart, since the same picture is the same under any name.
    ///
    /// Nil for a file that is not worth reading twice.
    let digest: SHA256Digest?
    private let version: Version

    /// Which file it is, and when it was changed; a person who writes the old content back cannot set the last one.
    private struct Version: Sendable, Hashable {
        let device: UInt64
        let number: UInt64
        let size: Int64
        let contentChange: [Int]
        let statusChange: [Int]

        init?(_ descriptor: OwnedDescriptor) {
            var status = stat()
            guard unsafe fstat(descriptor.number, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
            size = Int64(status.st_size)
            contentChange = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
            statusChange = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        }
    }

    /// Reads a file; takes as long as reading does, so not on a thread that others wait for.
    ///
    /// - Parameters:
    ///   - maximumByteCount: the largest file of which all is read.
    ///   - isCancelled: is asked now and then.
    /// - Returns: nil where the file cannot be read.
    /// - Throws: `CancellationError`.
    static func read(
        _ path: String, maximumByteCount: Int, isCancelled: () -> Bool
    ) throws(CancellationError) -> FileContent? {
        guard let descriptor = try? DecoderInput.file(path: path).open(), let version = Version(descriptor) else {
            return nil
        }
        guard version.size <= maximumByteCount else { return FileContent(digest: nil, version: version) }
        return try withExtendedLifetime(descriptor) { () throws(CancellationError) in
            let file = FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false)
            var hash = SHA256()
            // What grows meanwhile has another version when it is looked at again.
            var remaining = Int(version.size)
            while remaining > 0 {
                if isCancelled() { throw CancellationError() }
                guard let chunk = try? file.read(upToCount: min(remaining, 1 << 18)) else { return nil }
                if chunk.isEmpty { break }
                hash.update(data: chunk)
                remaining -= chunk.count
            }
            return FileContent(digest: hash.finalize(), version: version)
        }
    }
}
