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

    /// The state as bytes, which differ if the states do.
    package var bytes: [UInt8] {
        ([identity.device, identity.inode] + ([byteCount] + changed).map { UInt64(bitPattern: Int64($0)) })
            .flatMap { number in
                stride(from: 0, to: UInt64.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
            }
    }

    /// Whether the last change of the file or of its name was so long ago.
    package func isOlder(than age: Duration) -> Bool {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
        // The third number is the kernel's own time, which no program sets.
        return Duration.seconds(now.tv_sec - changed[2]) > age
    }

    /// Whether the content is the same; a new name changes the state and not the content.
    package func hasSameContent(as other: FileState) -> Bool {
        identity == other.identity && byteCount == other.byteCount && changed.prefix(2) == other.changed.prefix(2)
    }
}
