// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The SHA-256 of some bytes.
package struct SHA256Digest: Sendable, Hashable {
    /// In bytes.
    package static let byteCount = 32

    /// As many as ``byteCount``.
    package let bytes: [UInt8]

    init(bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount)
        self.bytes = bytes
    }

    /// The digest in lower-case hexadecimal digits, as `sha256sum` prints it.
    package var hexadecimal: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
