// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import HelperProtocol
import Testing

@Suite("The memory of frames")
struct AnonymousMemoryTests {
    private func frame(_ byteCount: Int, _ pool: AnonymousMemoryPool, level: UInt8 = 1) -> AnonymousMemory? {
        AnonymousMemory(byteCount: byteCount, from: pool) { target in
            target.initializeMemory(as: UInt8.self, repeating: level)
            return true
        }
    }

    private func address(_ memory: AnonymousMemory?) -> UnsafeRawPointer? { memory?.withBytes { $0.baseAddress } }

    @Test func `Memory of a frame that has ended is used for the next frame of its size, and no other`() throws {
        let pool = AnonymousMemoryPool()
        var first = frame(8192, pool)
        let place = address(first)
        first = nil
        #expect(pool.keptByteCount == 8192)
        let other = frame(4096, pool)
        #expect(address(other) != place)
        let second = frame(8192, pool, level: 2)
        #expect(address(second) == place)
        #expect(second?.withBytes { $0.allSatisfy { $0 == 2 } } == true)
    }

    @Test func `Two frames that live at the same time have memory of their own`() {
        let pool = AnonymousMemoryPool()
        let frames = (0..<8).map { frame(4096, pool, level: $0) }
        #expect(Set(frames.map(address)).count == 8)
        for (level, frame) in frames.enumerated() { #expect(frame?.withBytes { $0.first } == UInt8(level)) }
    }

    @Test func `The pool keeps 16 MiB at most, and nothing of an earlier size`() {
        let pool = AnonymousMemoryPool()
        var frames = (0..<40).map { _ in frame(1 << 20, pool) }
        frames = []
        #expect(pool.keptByteCount == 16 << 20)
        var large = frame(32 << 20, pool)
        #expect(large != nil)
        large = nil
        #expect(pool.keptByteCount == 0)
        #expect(frames.isEmpty)
    }
}
