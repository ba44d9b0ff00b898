// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Glibc
internal import Synchronization

/// Pixels in memory that returns to the system with the object, independently of the allocator in the app's process.
@safe
package final class AnonymousMemory: PixelStorage, @unchecked Sendable {
    // @unchecked: the memory does not change after init.

    package let byteCount: Int
    private let address: UnsafeMutableRawPointer
    private let pool: AnonymousMemoryPool?

    /// - Parameters:
    ///   - pool: takes the memory back when the object ends; nil to return it to the system.
    ///   - fill: writes all bytes, and returns whether it succeeded.
    /// - Returns: nil if there is no memory, or it could not be filled.
    package init?(
        byteCount: Int, from pool: AnonymousMemoryPool? = nil, filling fill: (UnsafeMutableRawBufferPointer) -> Bool
    ) {
        guard let memory = unsafe pool?.take(byteCount: byteCount) ?? Self.map(byteCount) else { return nil }
        self.byteCount = byteCount
        self.pool = pool
        unsafe address = memory
        guard unsafe fill(UnsafeMutableRawBufferPointer(start: memory, count: byteCount)) else { return nil }
    }

    deinit {
        if let pool { unsafe pool.giveBack(address, byteCount) } else { unsafe munmap(address, byteCount) }
    }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: address, count: byteCount))
    }

    private static func map(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE
        let mapped = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
        return unsafe mapped == MAP_FAILED ? nil : mapped
    }
}

/// Memory of frames of one stream, which is used again for later frames.
///
/// New memory costs more than the copy of a frame, because the system clears each page.
@safe
package final class AnonymousMemoryPool: Sendable {
    private let free = Mutex(Free())

    private struct Free {
        /// The addresses of blocks that are not used.
        var blocks: [UInt] = []
        /// The size of each of these blocks.
        var byteCount = 0
    }

    package init() {}

    deinit {
        free.withLock { Self.release(&$0) }
    }

    /// The number of bytes that are kept for later frames.
    package var keptByteCount: Int { free.withLock { $0.blocks.count * $0.byteCount } }

    /// Takes a block of this size; nil if none is kept.
    fileprivate func take(byteCount: Int) -> UnsafeMutableRawPointer? {
        let block = free.withLock { free in free.byteCount == byteCount ? free.blocks.popLast() : nil }
        return unsafe block.flatMap { unsafe UnsafeMutableRawPointer(bitPattern: $0) }
    }

    /// Keeps a block, or returns it to the system if enough are kept; blocks of another size are returned.
    fileprivate func giveBack(_ address: UnsafeMutableRawPointer, _ byteCount: Int) {
        let block = UInt(bitPattern: address)
        let isKept = free.withLock { free in
            if free.byteCount != byteCount {
                Self.release(&free)
                free.byteCount = byteCount
            }
            guard (free.blocks.count + 1) * byteCount <= Self.mostBytes else { return false }
            free.blocks.append(block)
            return true
        }
        if !isKept { unsafe munmap(address, byteCount) }
    }

    private static func release(_ free: inout Free) {
        while let block = free.blocks.popLast() {
            unsafe munmap(UnsafeMutableRawPointer(bitPattern: block), free.byteCount)
        }
    }

    /// The most bytes that are kept: eleven frames of 1,280 × 720 pixels, or one of 3,840 × 2,160.
    private static let mostBytes = 16 << 20
}
