// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// The state of an open file, which differs after each change of its content or of its name.
package struct FileState: Equatable, Sendable {
    package let identity: FileIdentity
    /// The size in bytes.
    package let byteCount: Int
    private let changed: [Int]

    /// Reads the state of an open file; nil if it cannot be read.
    package init?(_ descriptor: OwnedDescriptor) {
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0 else { return nil }
        self.init(status)
    }

    package init(_ status: stat) {
        identity = FileIdentity(status)
        byteCount = Int(status.st_size)
        changed = [status.st_mtim, status.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
    }

    /// Whether the last change is so long ago that a change from now on leads to another state.
    ///
    /// File systems count time in steps of up to two seconds.
    package var isSettled: Bool {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
        return now.tv_sec - changed[2] > 2
    }
}
