// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CLinuxShims
package import FileAccess
internal import Glibc

/// Shared memory of a fixed size for pixels between the host and one helper process.
///
/// A decoder writes the pixels of its replies to it, and the host writes the views that the model's process scores. The
/// helper can change the memory at any time, so the host never maps it and copies the pixels. A helper cannot make such
/// memory itself, so it cannot fill the machine's memory with it.
package final class PixelMemory: Sendable {
    package let descriptor: OwnedDescriptor

    /// The size in bytes, which is enough for two views with edges of less than 3,200 pixels.
    ///
    /// If a model asks for 1,600 pixels an edge, decoders reduce pictures to shorter edges. Pages take memory when
    /// they are first written to.
    package static let byteCount = 64 << 20

    /// Makes memory for one connection.
    package init() throws(TransportError) {
        let number = unsafe CLinuxShims_memory_create("sca-pixels")
        guard number >= 0 else { throw .systemCall("memfd_create", -number) }
        descriptor = OwnedDescriptor(number)
        guard ftruncate(number, Self.byteCount) == 0 else { throw .systemCall("ftruncate", errno) }
        // A helper must not change the size.
        let error = CLinuxShims_memory_seal_size(number, 1)
        guard error == 0 else { throw .systemCall("fcntl(F_ADD_SEALS)", error) }
    }

    /// Returns a copy of the first bytes of the memory, or nil if the count is impossible or the copy fails.
    ///
    /// - Parameter pool: the memory of earlier copies; nil to take new memory.
    package func copy(byteCount: Int, from pool: AnonymousMemoryPool? = nil) -> AnonymousMemory? {
        guard byteCount > 0, byteCount <= Self.byteCount else { return nil }
        return unsafe AnonymousMemory(byteCount: byteCount, from: pool) { target in
            var copied = 0
            while copied < byteCount {
                let count = unsafe pread(
                    descriptor.number, target.baseAddress! + copied, byteCount - copied, copied)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                copied += count
            }
            return true
        }
    }

    /// Writes the rows of pictures one after the other from the start, without padding.
    ///
    /// - Returns: whether all of them were written.
    package func write(_ images: [PixelImage]) -> Bool {
        let sizes = images.map { $0.width * PixelImage.bytesPerPixel * $0.height }
        guard sizes.reduce(0, +) <= Self.byteCount else { return false }
        var position = 0
        for (image, size) in zip(images, sizes) {
            let rowLength = image.width * PixelImage.bytesPerPixel
            let isPacked = image.bytesPerRow == rowLength
            let isWritten = unsafe image.storage.withBytes { bytes in
                for row in 0..<(isPacked ? 1 : image.height) {
                    let start = image.offset + row * image.bytesPerRow
                    let part = unsafe UnsafeRawBufferPointer(
                        rebasing: bytes[start..<(start + (isPacked ? size : rowLength))])
                    guard unsafe write(part, at: position + row * rowLength) else { return false }
                }
                return true
            }
            guard isWritten else { return false }
            position += size
        }
        return true
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = unsafe pwrite(
                descriptor.number, bytes.baseAddress! + written, bytes.count - written, position + written)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }
}

/// The host's pixel memory, as it is mapped in a helper process.
@safe
package final class MappedPixelMemory: PixelStorage, @unchecked Sendable {
    // @unchecked: a helper uses its mapping on one thread at a time.

    private let address: UnsafeMutableRawPointer
    package var byteCount: Int { PixelMemory.byteCount }

    /// Maps the memory that the host has sent.
    ///
    /// - Parameter isForAnswers: whether the helper writes to the memory, as decoders do; otherwise it only reads.
    package init(_ descriptor: OwnedDescriptor, isForAnswers: Bool) throws(TransportError) {
        let protection = isForAnswers ? PROT_READ | PROT_WRITE : PROT_READ
        guard let mapped = unsafe mmap(nil, PixelMemory.byteCount, protection, MAP_SHARED, descriptor.number, 0),
            unsafe mapped != MAP_FAILED
        else { throw .systemCall("mmap", errno) }
        unsafe address = mapped
    }

    deinit {
        unsafe munmap(address, PixelMemory.byteCount)
    }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: address, count: PixelMemory.byteCount))
    }

    /// Lets a closure write to the memory.
    package func fill<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        unsafe body(UnsafeMutableRawBufferPointer(start: address, count: PixelMemory.byteCount))
    }

    /// Writes the views one after the other from the start of the memory.
    ///
    /// - Returns: whether there was room for all views; otherwise nothing is written.
    package func write(_ parts: [[UInt8]]) -> Bool {
        guard parts.reduce(0, { $0 + $1.count }) <= PixelMemory.byteCount else { return false }
        var offset = 0
        for part in parts {
            unsafe UnsafeMutableRawBufferPointer(start: address + offset, count: part.count).copyBytes(from: part)
            offset += part.count
        }
        return true
    }
}
