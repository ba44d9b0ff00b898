// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import CLinuxShims
internal import Glibc

/// Shared memory of a fixed size, made by the host, into which one decoder process writes the pixels of its answers.
///
/// The decoder can change it at any time, so the host copies what it wants and never looks at it in place. Since the
/// decoder cannot make such memory itself, it cannot fill the machine's with it.
@safe
package final class PixelMemory: @unchecked Sendable {
    // @unchecked: each process uses its mapping on one thread at a time, and the other one is not believed.

    package let descriptor: OwnedDescriptor
    private let address: UnsafeMutableRawPointer

    /// Its size in bytes: enough for two views of less than twice 1,600 pixels an edge, to which decoders reduce pictures
    /// for models that ask for so many.
    ///
    /// Pages take memory when they are first written to.
    package static let byteCount = 64 << 20

    /// Makes memory for one decoder.
    package convenience init() throws(TransportError) {
        let number = unsafe CLinuxShims_memory_create("sca-pixels")
        guard number >= 0 else { throw .systemCall("memfd_create", -number) }
        let descriptor = OwnedDescriptor(number)
        guard ftruncate(number, Self.byteCount) == 0 else { throw .systemCall("ftruncate", errno) }
        // Shortened by the decoder, it would crash the host.
        let error = CLinuxShims_memory_seal_size(number)
        guard error == 0 else { throw .systemCall("fcntl(F_ADD_SEALS)", error) }
        try self.init(mapping: descriptor, protection: PROT_READ)
    }

    /// Maps the memory that the host has sent.
    package convenience init(ofHost descriptor: OwnedDescriptor) throws(TransportError) {
        try self.init(mapping: descriptor, protection: PROT_READ | PROT_WRITE)
    }

    private init(mapping descriptor: OwnedDescriptor, protection: Int32) throws(TransportError) {
        guard let mapped = unsafe mmap(nil, Self.byteCount, protection, MAP_SHARED, descriptor.number, 0),
            unsafe mapped != MAP_FAILED
        else { throw .systemCall("mmap", errno) }
        self.descriptor = descriptor
        unsafe address = mapped
    }

    deinit {
        unsafe munmap(address, Self.byteCount)
    }

    /// Copies the first bytes, or nothing where there are not so many.
    package func copy(byteCount: Int) -> [UInt8]? {
        guard byteCount > 0, byteCount <= Self.byteCount else { return nil }
        return unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { copy, count in
            unsafe UnsafeMutableRawBufferPointer(copy)
                .copyMemory(from: UnsafeRawBufferPointer(start: address, count: byteCount))
            count = byteCount
        }
    }

    /// Writes parts one after the other from the start.
    ///
    /// - Returns: whether there was room for all of them.
    package func write(_ parts: [[UInt8]]) -> Bool {
        guard parts.reduce(0, { $0 + $1.count }) <= Self.byteCount else { return false }
        var offset = 0
        for part in parts {
            unsafe UnsafeMutableRawBufferPointer(start: address + offset, count: part.count).copyBytes(from: part)
            offset += part.count
        }
        return true
    }
}
