// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import FileAccess
import Foundation
import Glibc
import HelperHost
import HelperProtocol
import TestSupport
import Testing

@Suite("Descriptors that are handed to decoders")
struct DecoderInputTests {
    @Test(arguments: [(O_RDONLY, true), (O_RDWR, false), (O_WRONLY, false)])
    func `An open file goes to a decoder only if it cannot be written to`(flags: Int32, isHandedOver: Bool) async throws
    {
        try await TestFiles.withFolder { folder in
            let file = folder.appendingPathComponent("a.png")
            try Data([1]).write(to: file)
            let descriptor = OwnedDescriptor(unsafe open(file.path, flags | O_CLOEXEC))
            try #require(descriptor.number >= 0)
            do {
                let handed = try DecoderInput.open(descriptor).open()
                #expect(isHandedOver && handed === descriptor)
            } catch let failure as AnalysisFailure {
                #expect(!isHandedOver && failure.code == .inputUnreadable)
            }
            let path = try DecoderInput.file(path: file.path).open()
            #expect(fcntl(path.number, F_GETFL) & O_ACCMODE == O_RDONLY)
        }
    }

    @Test func `Bytes in memory cannot be changed by a decoder`() throws {
        let handed = try DecoderInput.memory(.copying([1, 2, 3])).open()
        #expect(unsafe pwrite(handed.number, [9], 1, 0) == -1)
        #expect(unsafe mmap(nil, 3, PROT_READ | PROT_WRITE, MAP_SHARED, handed.number, 0) == MAP_FAILED)
    }
}
