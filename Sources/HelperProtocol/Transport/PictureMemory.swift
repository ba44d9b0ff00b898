// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CLinuxShims
package import FileAccess
internal import Glibc

/// Memory for the pixels of one picture, which a helper fills and the host then seals.
///
/// The host makes it, because a helper could otherwise fill the machine's memory. Its size cannot be changed.
package final class PictureMemory: Sendable {
    package let descriptor: OwnedDescriptor

    /// The largest size in bytes; decoders may not write more.
    package static let largestByteCount: UInt64 = 4 << 30

    /// - Parameter byteCount: the size, at least 1.
    package init(byteCount: Int) throws(TransportError) {
        let number = unsafe CLinuxShims_memory_create("sca-picture")
        guard number >= 0 else { throw .systemCall("memfd_create", -number) }
        descriptor = OwnedDescriptor(number)
        guard byteCount > 0, UInt64(byteCount) <= Self.largestByteCount, ftruncate(number, byteCount) == 0 else {
            throw .systemCall("ftruncate", errno)
        }
        let error = CLinuxShims_memory_seal_size(number, 0)
        guard error == 0 else { throw .systemCall("fcntl(F_ADD_SEALS)", error) }
    }

    /// Seals the memory against all changes, and maps it.
    ///
    /// - Throws: `systemCall` with `EBUSY` if a process maps it for writing, and could change it after checks.
    package func sealed() throws -> SealedMemory {
        let error = CLinuxShims_memory_seal(descriptor.number)
        guard error == 0 else { throw TransportError.systemCall("fcntl(F_ADD_SEALS)", error) }
        return try SealedMemory(mapping: descriptor)
    }
}

/// The host's memory for a picture, as a helper process writes to it.
///
/// The helper writes and does not map it: that takes half the time, and no addresses of the helper's bounded memory.
package struct WritablePictureMemory: Sendable {
    private let descriptor: OwnedDescriptor
    package let byteCount: Int

    /// Takes the memory that the host has sent.
    ///
    /// - Throws: `systemCall` with `EINVAL` if it is too small.
    package init(_ descriptor: OwnedDescriptor, byteCount: Int) throws(TransportError) {
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0, status.st_size >= byteCount, byteCount > 0 else {
            throw .systemCall("fstat", EINVAL)
        }
        (self.descriptor, self.byteCount) = (descriptor, byteCount)
    }

    /// Writes bytes from a position on.
    package func write(_ bytes: UnsafeRawBufferPointer, at position: Int) throws(TransportError) {
        guard position >= 0, position + bytes.count <= byteCount, lseek(descriptor.number, position, SEEK_SET) >= 0
        else { throw .systemCall("lseek", EINVAL) }
        var written = 0
        while written < bytes.count {
            let count = unsafe Glibc.write(descriptor.number, bytes.baseAddress! + written, bytes.count - written)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .systemCall("write", errno) }
            written += count
        }
    }
}
