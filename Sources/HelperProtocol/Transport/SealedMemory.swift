// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CLinuxShims
package import FileAccess
internal import Glibc

/// Sealed shared memory, which no process can change, mapped for reading.
@safe
package final class SealedMemory: PixelStorage, @unchecked Sendable {
    // @unchecked: the memory is sealed, so it is read-only for every process until it is unmapped in deinit.

    package let descriptor: OwnedDescriptor
    package let byteCount: Int
    private let address: UnsafeRawPointer

    /// Creates sealed memory with a copy of the bytes, at least one.
    package static func copying(_ bytes: some Collection<UInt8>) throws -> SealedMemory {
        try unsafe filled(byteCount: bytes.count) { unsafe $0.copyBytes(from: bytes) }
    }

    /// Creates memory, lets the closure fill it, and seals it.
    ///
    /// - Parameter byteCount: the size, at least 1.
    package static func filled(
        byteCount: Int, by fill: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws -> SealedMemory {
        guard byteCount > 0 else { throw TransportError.systemCall("memfd_create", EINVAL) }
        let number = unsafe CLinuxShims_memory_create("sca-pixels")
        guard number >= 0 else { throw TransportError.systemCall("memfd_create", -number) }
        let descriptor = OwnedDescriptor(number)
        guard ftruncate(number, byteCount) == 0 else { throw TransportError.systemCall("ftruncate", errno) }
        // All pages will be written, so the kernel provides them at once, which is faster than one by one.
        guard
            let writable = unsafe mmap(
                nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, number, 0),
            unsafe writable != MAP_FAILED
        else { throw TransportError.systemCall("mmap", errno) }
        do {
            try unsafe fill(UnsafeMutableRawBufferPointer(start: writable, count: byteCount))
        } catch {
            unsafe munmap(writable, byteCount)
            throw error
        }
        // The seal cannot be set while there is a writable mapping.
        unsafe munmap(writable, byteCount)
        let error = CLinuxShims_memory_seal(number)
        guard error == 0 else { throw TransportError.systemCall("fcntl(F_ADD_SEALS)", error) }
        return try SealedMemory(mapping: descriptor)
    }

    /// Makes empty memory that can grow, to which the model's process writes a compiled model.
    package static func room() throws(TransportError) -> OwnedDescriptor {
        let number = unsafe CLinuxShims_memory_create("sca-compiled")
        guard number >= 0 else { throw .systemCall("memfd_create", -number) }
        return OwnedDescriptor(number)
    }

    /// Copies all bytes of a descriptor straight into sealed memory, so that a pipe needs no second copy in memory.
    ///
    /// - Returns: the memory, or nil if there was nothing to read.
    /// - Throws: `SealedMemoryError.tooLarge` as soon as there is more than the limit.
    package static func contents(of source: Int32, maximumByteCount: Int) throws -> SealedMemory? {
        let number = unsafe CLinuxShims_memory_create("sca-input")
        guard number >= 0 else { throw TransportError.systemCall("memfd_create", -number) }
        let descriptor = OwnedDescriptor(number)
        var total = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(source, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw TransportError.systemCall("read", errno) }
            if count == 0 { break }
            total += count
            guard total <= maximumByteCount else { throw SealedMemoryError.tooLarge }
            var written = 0
            while written < count {
                let step = unsafe buffer.withUnsafeBytes {
                    unsafe write(number, $0.baseAddress! + written, count - written)
                }
                if step < 0 && errno == EINTR { continue }
                guard step > 0 else { throw TransportError.systemCall("write", errno) }
                written += step
            }
        }
        guard total > 0 else { return nil }
        let error = CLinuxShims_memory_seal(number)
        guard error == 0 else { throw TransportError.systemCall("fcntl(F_ADD_SEALS)", error) }
        return try SealedMemory(mapping: descriptor)
    }

    /// Maps memory that came from another process.
    ///
    /// - Throws: `notSealed` if the sender could still change or shorten the memory. A hostile process could then alter
    ///   pixels after their check, or crash the reader.
    package init(mapping descriptor: OwnedDescriptor) throws(SealedMemoryError) {
        guard CLinuxShims_memory_is_sealed(descriptor.number) == 1 else { throw .notSealed }
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0, status.st_size > 0, let size = Int(exactly: status.st_size)
        else { throw .unreadable }
        guard let mapped = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, descriptor.number, 0),
            unsafe mapped != MAP_FAILED
        else { throw .unreadable }
        self.descriptor = descriptor
        byteCount = size
        unsafe address = UnsafeRawPointer(mapped)
    }

    deinit {
        unsafe munmap(UnsafeMutableRawPointer(mutating: address), byteCount)
    }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: address, count: byteCount))
    }
}

/// The reason for which memory or input is refused.
package enum SealedMemoryError: Error, Sendable {
    case notSealed
    case unreadable
    case tooLarge
}
