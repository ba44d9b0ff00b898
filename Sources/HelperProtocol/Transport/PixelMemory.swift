// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CLinuxShims
internal import Glibc

/// Shared memory of a fixed size, made by the host, through which pixels go between the host and one helper process.
///
/// A decoder writes the pixels of its answers to it. It can change them at any time, so the host copies them and never
/// looks at them in place. For the model's process the host writes, and nobody else can. A helper cannot make such
/// memory itself, so it cannot fill the machine's memory with it.
@safe
package final class PixelMemory: PixelStorage, @unchecked Sendable {
    // @unchecked: each process uses its mapping on one thread at a time, and the other one is not believed.

    package let descriptor: OwnedDescriptor
    private let address: UnsafeMutableRawPointer

    /// The size in bytes: enough for two views of less than twice 1,600 pixels an edge, to which decoders reduce pictures
    /// for models that ask for so many.
    ///
    /// Pages take memory when they are first written to.
    package static let byteCount = 64 << 20
    package var byteCount: Int { Self.byteCount }

    /// The process that writes to the memory.
    package enum Writer: Sendable, Hashable {
        case helper
        case host
    }

    /// Makes memory for one connection.
    package convenience init(writer: Writer) throws(TransportError) {
        let number = unsafe CLinuxShims_memory_create("sca-pixels")
        guard number >= 0 else { throw .systemCall("memfd_create", -number) }
        let descriptor = OwnedDescriptor(number)
        guard ftruncate(number, Self.byteCount) == 0 else { throw .systemCall("ftruncate", errno) }
        switch writer {
        case .helper:
            // Shortened by the decoder, it would crash the host.
            let error = CLinuxShims_memory_seal_size(number)
            guard error == 0 else { throw .systemCall("fcntl(F_ADD_SEALS)", error) }
            try self.init(mapping: descriptor, protection: PROT_READ)
        case .host:
            // Mapped first: later mappings can only read.
            try self.init(mapping: descriptor, protection: PROT_READ | PROT_WRITE)
            let error = CLinuxShims_memory_seal_for_others(number)
            guard error == 0 else { throw .systemCall("fcntl(F_ADD_SEALS)", error) }
        }
    }

    /// Maps the memory that the host has sent.
    package convenience init(ofHost descriptor: OwnedDescriptor, writer: Writer) throws(TransportError) {
        try self.init(mapping: descriptor, protection: writer == .host ? PROT_READ : PROT_READ | PROT_WRITE)
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

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: address, count: Self.byteCount))
    }

    /// Writes the rows of pictures one after the other from the start, without padding.
    ///
    /// - Returns: whether there was room for all of them.
    package func write(_ images: [PixelImage]) -> Bool {
        let sizes = images.map { $0.width * PixelImage.bytesPerPixel * $0.height }
        guard sizes.reduce(0, +) <= Self.byteCount else { return false }
        var position = unsafe address
        for image in images {
            let rowLength = image.width * PixelImage.bytesPerPixel
            unsafe image.storage.withBytes { bytes in
                for row in 0..<image.height {
                    let start = image.offset + row * image.bytesPerRow
                    unsafe UnsafeMutableRawBufferPointer(start: position, count: rowLength)
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + rowLength)]))
                    unsafe position += rowLength
                }
            }
        }
        return true
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
