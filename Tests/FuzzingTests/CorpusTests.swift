// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzedParsers
import HelperProtocol
import TestSupport
import Testing

@Suite("What fuzzing starts from, and what it has found")
struct CorpusTests {
    private static func files(of parser: FuzzedParser) throws -> [URL] {
        let folder = TestFiles.packageFolder.appendingPathComponent("FuzzTesting/corpus/\(parser.rawValue)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).map(folder.appendingPathComponent)
    }

    @Test(
        "Parsers read every file of the corpus, also cut or changed, without a crash or a contradiction",
        arguments: FuzzedParser.allCases)
    func replay(parser: FuzzedParser) throws {
        let files = try Self.files(of: parser)
        #expect(!files.isEmpty)
        var random = SplitMix64(state: 1)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            try parser.read(bytes)
            for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 50)) {
                try parser.read(Array(bytes.prefix(length)))
            }
            for _ in 0..<200 where !bytes.isEmpty {
                var changed = bytes
                changed[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                try parser.read(changed)
            }
        }
    }

    @Test("The replies in the corpus are of this version of the protocol", arguments: ["failure", "hello", "image"])
    func messages(name: String) throws {
        let folder = TestFiles.packageFolder.appendingPathComponent("FuzzTesting/corpus/protocol-messages")
        let bytes = Array(try Data(contentsOf: folder.appendingPathComponent(name)))
        #expect(throws: Never.self) { try HelperReply(decoding: bytes) }
    }

    @Test("The corpus holds a request of this version of the protocol")
    func request() throws {
        let file = TestFiles.packageFolder.appendingPathComponent("FuzzTesting/corpus/protocol-messages/request")
        let bytes = Array(try Data(contentsOf: file))
        #expect(throws: Never.self) { try DecoderRequest(decoding: bytes) }
    }
}
