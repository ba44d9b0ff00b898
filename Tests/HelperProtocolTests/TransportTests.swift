// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import CLinuxShims
import FileAccess
import Foundation
import Glibc
import HelperProtocol
import Testing

@Suite("The connection between host and decoder")
struct TransportTests {
    @Test("The connection carries a message and a descriptor of the same memory")
    func message() throws {
        let (left, right) = try MessageSocket.pair()
        let memory = try unsafe SealedMemory.filled(byteCount: 3) { unsafe $0.copyBytes(from: [7, 8, 9]) }
        try left.send([1, 2, 3], with: memory.descriptor)
        let (bytes, descriptor) = try right.receive(within: 1000)
        #expect(bytes == [1, 2, 3])
        let received = try SealedMemory(mapping: try #require(descriptor))
        #expect(unsafe received.withBytes { unsafe Array($0) } == [7, 8, 9])
    }

    @Test("The connection tells a closed peer from a missing message")
    func ends() throws {
        let silent = try MessageSocket.pair()
        #expect(throws: TransportError.timedOut) { try silent.0.receive(within: 20) }
        let (open, closed) = try MessageSocket.pair()
        shutdown(closed.number, Int32(SHUT_RDWR))
        #expect(throws: TransportError.closed) { try open.receive(within: 1000) }
        #expect(throws: TransportError.closed) { try open.send([1]) }
    }

    @Test("The connection refuses a message that is too long, and closes its descriptor")
    func tooLong() throws {
        let (left, right) = try MessageSocket.pair()
        let memory = try unsafe SealedMemory.filled(byteCount: 1) { _ in }
        try left.send(Array(repeating: 0, count: 5000), with: memory.descriptor)
        #expect(throws: TransportError.systemCall("recvmsg", EMSGSIZE)) { try right.receive(within: 1000) }
    }

    @Test("Memory that could still change is refused")
    func unsealed() {
        let descriptor = OwnedDescriptor(unsafe CLinuxShims_memory_create("test"))
        #expect(ftruncate(descriptor.number, 10) == 0)
        #expect(throws: SealedMemoryError.notSealed) { try SealedMemory(mapping: descriptor) }
        #expect(CLinuxShims_memory_seal(descriptor.number) == 0)
        #expect(throws: Never.self) { try SealedMemory(mapping: descriptor) }
        #expect(ftruncate(descriptor.number, 5) != 0)
    }

    @Test("An ordinary file is no sealed memory")
    func ordinaryFile() {
        let descriptor = OwnedDescriptor(unsafe open("/etc/passwd", O_RDONLY))
        #expect(throws: SealedMemoryError.notSealed) { try SealedMemory(mapping: descriptor) }
    }

    @Test("Memory without bytes is refused")
    func empty() {
        #expect(throws: TransportError.self) { try unsafe SealedMemory.filled(byteCount: 0) { _ in } }
    }

    @Test("A pipe is copied up to the limit and not a byte further")
    func pipeContents() throws {
        for (limit, isRefused) in [(100_000, false), (99_999, true)] {
            let pipe = Pipe()
            let writer = Thread {
                try? pipe.fileHandleForWriting.write(contentsOf: Data(repeating: 5, count: 100_000))
                try? pipe.fileHandleForWriting.close()
            }
            writer.start()
            let source = pipe.fileHandleForReading.fileDescriptor
            if isRefused {
                #expect(throws: SealedMemoryError.tooLarge) {
                    try SealedMemory.contents(of: source, maximumByteCount: limit)
                }
                // The test reads the rest, because otherwise the writer would wait for ever or be killed by SIGPIPE.
                _ = try pipe.fileHandleForReading.readToEnd()
            } else {
                #expect(try SealedMemory.contents(of: source, maximumByteCount: limit)?.byteCount == 100_000)
            }
        }
    }
}
