// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Glibc

/// A copy of a file in memory.
///
/// It is not a mapping, because the checked bytes must be the used bytes, even if the file is later written to or
/// shortened.
@safe
final class FileCopy: @unchecked Sendable {
    // @unchecked: the memory does not change from the end of init until deinit, and only its creator trims it.

    private let memory: UnsafeMutableRawBufferPointer
    /// The bytes of the file, or their start after `trim`; valid as long as this object.
    private(set) var bytes: UnsafeRawBufferPointer

    /// - Returns: nil if the file is empty, too large or cannot be read, or if memory is missing.
    init?(_ file: OwnedDescriptor, maximumByteCount: Int) {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let size = Int(exactly: status.st_size), size > 0, size <= maximumByteCount,
            // All pages will be written, so the kernel provides them at once, which is faster than one by one.
            let address = unsafe mmap(
                nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0),
            unsafe address != MAP_FAILED
        else { return nil }
        unsafe memory = UnsafeMutableRawBufferPointer(start: address, count: size)
        unsafe bytes = UnsafeRawBufferPointer(memory)
        var filled = 0
        while filled < size {
            let count = unsafe pread(file.number, address + filled, size - filled, filled)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            filled += count
        }
    }

    deinit {
        unsafe munmap(memory.baseAddress, memory.count)
    }

    /// Shortens the contents to the first `count` bytes.
    func trim(to count: Int) {
        unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
    }
}
