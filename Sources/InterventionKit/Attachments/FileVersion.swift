// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Glibc

/// The identity of a file with the times of its last changes, by which versions of it are told apart.
struct FileVersion: Sendable, Hashable {
    private let identity: FileIdentity
    let byteCount: Int
    private let contentChange: [Int]
    /// Nobody but the system sets this one.
    private let statusChange: [Int]

    /// The version of an open file; nil where the system does not tell.
    init?(_ descriptor: OwnedDescriptor) {
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The version of the file at a path; nil where there is none.
    init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        identity = FileIdentity(status)
        byteCount = Int(status.st_size)
        contentChange = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        statusChange = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }

    /// Whether the file was changed so lately that a further change could bear the same time, or its clock is another:
    /// those of file systems tick up to every 10 ms.
    ///
    /// Those of other systems may tick once in two seconds, which is too long to wait for.
    var isFresh: Bool {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return true }
        // Seconds first, since a server may say any number.
        if statusChange[0] < now.tv_sec - 1 { return false }
        if statusChange[0] > now.tv_sec { return true }
        let age = (now.tv_sec - statusChange[0]) * 1000 + (now.tv_nsec - statusChange[1]) / 1_000_000
        return age <= Self.tick
    }

    /// In milliseconds, with as much again to spare.
    static let tick = 20
}
