// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CGcrypt

/// A SHA-256 computation (FIPS 180-4) by libgcrypt, to which bytes are added step by step.
///
/// libsystemd, which the library needs anyway, depends on libgcrypt. libcrypto is not used: it loads the libraries that
/// `OPENSSL_CONF` names.
@safe package struct SHA256: ~Copyable {
    /// The libgcrypt handle as an untyped pointer, because importers of this module do not see the C module.
    private let memory: UnsafeMutableRawPointer
    private var handle: gcry_md_hd_t { unsafe memory.assumingMemoryBound(to: gcry_md_handle.self) }

    /// The reason for which no hash can be computed.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Initialises libgcrypt, which opens files under `/etc` and `/proc`.
    ///
    /// A process must call this before it closes its sandbox. Later calls do nothing.
    ///
    /// - Throws: `Failure` if libgcrypt is too old.
    package static func prepare() throws(Failure) {
        guard isReady else { throw Failure(description: "libgcrypt is older than version 1.8. Update libgcrypt20.") }
    }

    private static let isReady = CGcrypt_initialize() != 0

    /// - Throws: `Failure` if libgcrypt is too old, or refuses to work because it has found itself damaged.
    package init() throws(Failure) {
        try Self.prepare()
        var handle: gcry_md_hd_t?
        let error = unsafe gcry_md_open(&handle, CInt(GCRY_MD_SHA256.rawValue), 0)
        guard error == 0, let handle = unsafe handle else {
            throw Failure(description: "libgcrypt computes no SHA-256 (error \(error)). Reinstall libgcrypt20.")
        }
        unsafe memory = UnsafeMutableRawPointer(handle)
    }

    deinit { unsafe gcry_md_close(handle) }

    /// Adds bytes to the hashed message.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe gcry_md_write(handle, bytes.baseAddress, bytes.count)
    }

    /// Adds bytes to the hashed message.
    package mutating func update(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    /// Returns the digest of all bytes that were added.
    ///
    /// - Throws: `Failure` if libgcrypt gives none.
    package consuming func digest() throws(Failure) -> SHA256Digest {
        guard let bytes = unsafe gcry_md_read(handle, CInt(GCRY_MD_SHA256.rawValue)) else {
            throw Failure(description: "libgcrypt computes no SHA-256. Reinstall libgcrypt20.")
        }
        return SHA256Digest(
            bytes: unsafe Array(UnsafeBufferPointer(start: bytes, count: SHA256Digest.byteCount)))
    }
}

/// The SHA-256 of some bytes.
package struct SHA256Digest: Sendable, Hashable {
    /// The length of a digest, in bytes.
    package static let byteCount = 32

    /// The bytes of the digest, ``byteCount`` in number.
    package let bytes: [UInt8]

    init(bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount)
        self.bytes = bytes
    }

    /// The digest in lower-case hexadecimal digits, as `sha256sum` prints it.
    package var hexadecimal: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Creates a digest of stored bytes; nil for another number of bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(bytes: bytes)
    }
}
