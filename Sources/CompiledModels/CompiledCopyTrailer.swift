// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Hashing

/// The end of a compiled copy of a model: the state of the files from which it was made, and a digest of all before it.
///
/// It is needed because OpenVINO loads a damaged copy without an error, and a damaged copy gives other scores.
package struct CompiledCopyTrailer: ~Copyable {
    private var hash: SHA256

    /// - Throws: `SHA256.Failure` if no digest can be computed.
    package init() throws(SHA256.Failure) {
        hash = try SHA256()
    }

    /// Adds the next bytes of the compiled form.
    package mutating func update(_ content: UnsafeRawBufferPointer) {
        unsafe hash.update(content)
    }

    /// Returns the trailer for the bytes that were added: the state, then the digest.
    ///
    /// - Throws: `SHA256.Failure` if no digest can be computed.
    package consuming func bytes(state: [UInt8]) throws(SHA256.Failure) -> [UInt8] {
        hash.update(state)
        return state + (try hash.digest().bytes)
    }

    /// The length of a state in bytes: a state is a SHA-256.
    package static let stateByteCount = SHA256Digest.byteCount
    /// The length of a trailer, in bytes.
    package static let byteCount = stateByteCount + SHA256Digest.byteCount

    /// Returns the trailer for a compiled form.
    ///
    /// - Throws: `SHA256.Failure` if no digest can be computed.
    package static func bytes(behind content: UnsafeRawBufferPointer, state: [UInt8]) throws(SHA256.Failure) -> [UInt8]
    {
        var trailer = try CompiledCopyTrailer()
        unsafe trailer.update(content)
        return try trailer.bytes(state: state)
    }

    /// Returns the length of the compiled model in a copy, or nil if the copy is damaged or the state differs.
    package static func contentLength(of copy: UnsafeRawBufferPointer, state: [UInt8]) -> Int? {
        let length = copy.count - byteCount
        guard length > 0, state.count == stateByteCount,
            let expected = try? unsafe bytes(
                behind: UnsafeRawBufferPointer(rebasing: copy.prefix(length)), state: state),
            unsafe expected.elementsEqual(copy.suffix(byteCount))
        else { return nil }
        return length
    }
}
