// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Hashing
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    private static func digest(of parts: [[UInt8]]) throws -> String {
        var hash = try SHA256()
        for part in parts { hash.update(part) }
        return try hash.digest().hexadecimal
    }

    // Source: FIPS 180-4 examples of NIST, and `printf '' | sha256sum`.
    @Test(
        "The digest of a text is that of the standard's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func examples(text: String, digest: String) throws {
        #expect(try Self.digest(of: [Array(text.utf8)]) == digest)
    }

    @Test("A million bytes give the digest of the standard's example, in whatever parts they come")
    func parts() throws {
        let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(try Self.digest(of: [Array(repeating: 0x61, count: 1_000_000)]) == digest)
        #expect(try Self.digest(of: Array(repeating: Array(repeating: 0x61, count: 8), count: 125_000)) == digest)
        #expect(try Self.digest(of: [Array(repeating: 0x61, count: 999_999), [], [0x61]]) == digest)
    }

    @Test("Two digests under way do not disturb each other")
    func interleaved() throws {
        var first = try SHA256()
        var second = try SHA256()
        first.update(Array("a".utf8))
        second.update(Array("ab".utf8))
        first.update(Array("bc".utf8))
        second.update(Array("c".utf8))
        let one = try first.digest()
        let two = try second.digest()
        #expect(one == two && one.bytes.prefix(2) == [0xBA, 0x78])
    }
}
