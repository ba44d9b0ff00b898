// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HelperProtocol
import Testing

@testable import PipeWireCapture

@Suite("The records of the program that captures from PipeWire")
struct FrameOutputTests {
    @Test func `A change of the size begins another stream`() throws {
        let file = try RecordFile()
        for width in [4, 4, 6] as [UInt32] { #expect(file.output.write(width: width, height: 4)) }
        let records = try file.records()
        #expect(records.map { $0 == .nextStream } == [false, false, false, false, false, true, false, false, false])
        #expect(records[6] != records[0])
    }

    @Test func `A large frame is passed on in several records`() throws {
        let file = try RecordFile()
        #expect(file.output.write(width: 1024, height: 1024))
        let counts = try file.records().map { record in
            if case .bytes(let bytes) = record { bytes.count } else { 0 }
        }
        #expect(counts.suffix(2) == [NodeRecord.mostBytes, NodeRecord.mostBytes / 2])
    }

    @Test func `The capture ends when the host reads no more`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            close(ends[0])
            #expect(!FrameOutput(ends[1]).write(width: 4, height: 4))
        }
    }

    @Test func `A request reads its own arguments, and no others`() {
        let request = NodeCaptureRequest(
            target: "id:7", maximumEdge: 100_000, maximumPixelCount: 5, hasRemote: true)
        #expect(NodeCaptureRequest(arguments: request.arguments) == request)
        #expect(request.maximumEdge == NodeCaptureRequest.largestEdge)
        let own = NodeCaptureRequest(
            target: "n", maximumEdge: 5, maximumPixelCount: 5, hasRemote: false, isForOtherPlayer: true)
        #expect(NodeCaptureRequest(arguments: own.arguments) == own)
        for arguments in [
            ["n", "0", "1", "local", "own"], ["n", "1", "-1", "local", "own"], ["n", "1", "1", "far", "own"],
            ["n", "1", "1", "local", "both"], ["n"],
        ] {
            #expect(NodeCaptureRequest(arguments: arguments) == nil)
        }
    }
}
