// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Hashing

/// A SHA-256 over the content of a file and everything else that its verdict depends on.
package struct VerdictKey: Hashable, Sendable {
    let bytes: [UInt8]

    /// - Parameters:
    ///   - content: the digest of the whole file.
    ///   - conditions: the conditions of the analysis.
    /// - Throws: `SHA256.Failure` if no digest can be computed.
    package init(content: SHA256Digest, _ conditions: VerdictConditions) throws(SHA256.Failure) {
        var hash = try SHA256()
        hash.update(conditions.digest.bytes)
        hash.update(content.bytes)
        bytes = try hash.digest().bytes
    }
}
