// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A copy in memory of a file that belongs to the user and to nobody else.
///
/// A copy and no mapping: what is checked must be what is used, whoever writes to the file or shortens it later.
@safe
final class PrivateFile: @unchecked Sendable {
    // @unchecked: the memory does not change from the end of init until deinit, and only its maker trims it.

    private let memory: UnsafeMutableRawBufferPointer
    /// The contents, or what of them is left after trimming; valid as long as this object.
    private(set) var bytes: UnsafeRawBufferPointer

    /// - Returns: nil where there is no such file, it is empty or too large, belongs to somebody else, others may write
    ///   to it, or there is no memory for it.
    init?(path: String, maximumByteCount: Int) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0, let size = Int(exactly: status.st_size), size > 0, size <= maximumByteCount,
            // Populated at once instead of page by page: all of it will be written.
            let address = unsafe mmap(
                nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0),
            unsafe address != MAP_FAILED
        else { return nil }
        unsafe memory = UnsafeMutableRawBufferPointer(start: address, count: size)
        unsafe bytes = UnsafeRawBufferPointer(memory)
        var filled = 0
        while filled < size {
            let count = unsafe read(file, address + filled, size - filled)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            filled += count
        }
    }

    deinit {
        unsafe munmap(memory.baseAddress, memory.count)
    }

    /// Leaves out what follows the first `count` bytes.
    func trim(to count: Int) {
        unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
    }
}
