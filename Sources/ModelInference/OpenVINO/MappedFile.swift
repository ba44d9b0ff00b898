// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The contents of a file of the user's own, in memory as far as they are looked at.
///
/// The file must not be shortened while it is mapped; those that are replaced by renaming never are.
@safe
final class MappedFile: @unchecked Sendable {
    // @unchecked: the mapping is read-only until deinit, and only its maker trims it.

    private let mapping: UnsafeRawBufferPointer
    /// The contents, or what of them is left after trimming; valid as long as this object.
    private(set) var bytes: UnsafeRawBufferPointer

    /// - Returns: nil where there is no such file, it is empty or too large, or others may write to it.
    init?(path: String, maximumByteCount: Int) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0, let size = Int(exactly: status.st_size), size > 0, size <= maximumByteCount,
            let mapped = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), unsafe mapped != MAP_FAILED
        else { return nil }
        unsafe mapping = UnsafeRawBufferPointer(start: mapped, count: size)
        unsafe bytes = mapping
    }

    deinit {
        unsafe munmap(UnsafeMutableRawPointer(mutating: mapping.baseAddress), mapping.count)
    }

    /// Leaves out what follows the first `count` bytes.
    func trim(to count: Int) {
        unsafe bytes = UnsafeRawBufferPointer(rebasing: mapping.prefix(count))
    }

    /// Gives back the memory of what has been looked at; it is read again where it is needed.
    func release() {
        _ = unsafe madvise(UnsafeMutableRawPointer(mutating: mapping.baseAddress), mapping.count, MADV_DONTNEED)
    }
}
