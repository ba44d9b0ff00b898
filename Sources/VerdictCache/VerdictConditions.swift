// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import Hashing

/// Everything but the content of a file that its verdict depends on.
package struct VerdictConditions: Sendable {
    let digest: SHA256Digest

    /// The revision of the analysis; raise it whenever the same file could get another verdict or another score.
    ///
    /// Programs that were built anew have other states on the disk, which are part of the conditions as well. The
    /// revision matters where a package keeps the times of its files.
    package static let revision = 1

    /// - Parameters:
    ///   - values: the policy, the model with its thresholds and other values, each as a text.
    ///   - files: the programs and libraries that judge; their sizes and times are part of the conditions.
    /// - Throws: `SHA256.Failure` if no digest can be computed.
    package init(values: [String], files: [String]) throws(SHA256.Failure) {
        var hash = try SHA256()
        for text in ["verdict \(Self.revision)"] + values + files.map(Self.state) {
            let bytes = Array(text.utf8)
            // The length in front keeps two lists of values apart that read the same when they are joined.
            hash.update(Array("\(bytes.count):".utf8) + bytes)
        }
        digest = try hash.digest()
    }

    private static func state(of path: String) -> String {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return "missing" }
        let times = [status.st_mtim, status.st_ctim].map { "\($0.tv_sec).\($0.tv_nsec)" }
        return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(times)"
    }
}
