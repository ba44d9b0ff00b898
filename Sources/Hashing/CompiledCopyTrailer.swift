// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The end of a compiled copy of a model: the state of the files that it was made from, and a digest of all before it.
///
/// OpenVINO takes a damaged copy without complaint, and a damaged copy gives other scores.
package struct CompiledCopyTrailer: ~Copyable {
    private var hash: SHA256

    /// - Throws: `SHA256.Failure` where no digest can be computed.
    package init() throws(SHA256.Failure) {
        hash = try SHA256()
    }

    /// Adds the next bytes of the compiled form.
    package mutating func update(_ content: UnsafeRawBufferPointer) {
        unsafe hash.update(content)
    }

    /// The bytes that belong behind what was added.
    ///
    /// - Throws: `SHA256.Failure` where no digest can be computed.
    package consuming func bytes(state: [UInt8]) throws(SHA256.Failure) -> [UInt8] {
        hash.update(state)
        return state + (try hash.digest().bytes)
    }

    /// The length of a state, in bytes.
    package static let stateByteCount = SHA256Digest.byteCount
    /// In bytes.
    package static let byteCount = stateByteCount + SHA256Digest.byteCount

    /// The bytes that belong behind a compiled form.
    ///
    /// - Throws: `SHA256.Failure` where no digest can be computed.
    package static func bytes(behind content: UnsafeRawBufferPointer, state: [UInt8]) throws(SHA256.Failure) -> [UInt8]
    {
        var trailer = try CompiledCopyTrailer()
        unsafe trailer.update(content)
        return try trailer.bytes(state: state)
    }

    /// The length of the compiled form in a copy, or nil where the copy is damaged or of other files.
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
