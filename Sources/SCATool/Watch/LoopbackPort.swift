// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc

/// A port of an address of loopback.
struct LoopbackPort: Sendable, Equatable {
    let isVersion6: Bool
    /// The four bytes of the address, which begins with 127; not used for version 6.
    let address: UInt32
    let port: UInt16

    /// Whether a text begins as an address of loopback does.
    static func isOfLoopback(_ text: Substring) -> Bool {
        ["127.", "localhost", "[::1]"].contains { text.hasPrefix($0) }
    }

    /// Reads "127.0.0.1:5000", "localhost:5000" or "[::1]:5000"; nil for another address.
    init?(_ text: Substring) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { return nil }
        self.port = port
        let host = text[..<colon]
        isVersion6 = host == "[::1]"
        guard !isVersion6, host != "localhost" else {
            address = Self.localhost
            return
        }
        var parsed = in_addr()
        guard unsafe inet_pton(AF_INET, String(host), &parsed) == 1 else { return nil }
        address = UInt32(bigEndian: parsed.s_addr)
        guard address >> 24 == 127 else { return nil }
    }

    private static let localhost: UInt32 = 0x7F00_0001
}
