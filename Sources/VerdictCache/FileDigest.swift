// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import FileAccess
package import Hashing

/// Computes the digests of whole files.
package enum FileDigest {
    /// Returns the SHA-256 of a file; nil if the file cannot be read to its end.
    package static func digest(of file: OwnedDescriptor) -> SHA256Digest? {
        guard var hash = try? SHA256() else { return nil }
        guard file.readPieces({ piece in unsafe hash.update(piece) }) != nil else { return nil }
        return try? hash.digest()
    }
}
