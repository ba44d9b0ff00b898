// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Glibc

/// The identity, size and change times of a file, by which a changed or replaced file is noticed.
struct FileVersion: Sendable, Hashable {
    private let identity: FileIdentity
    let byteCount: Int
    private let contentChange: [Int]
    /// The time of the last change of content or metadata (ctime), in seconds and nanoseconds; programs cannot set it.
    private let statusChange: [Int]

    /// The version of an open file; nil if the system does not give it.
    init?(_ descriptor: OwnedDescriptor) {
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The version of the file at a path; nil if there is no file or it cannot be reached.
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

    /// Whether the last change is so recent that a further change could get the same time, or lies in the future.
    ///
    /// The clocks of local file systems tick at least every 10 ms. Other file systems may tick once in two seconds,
    /// which is too long to wait for.
    var isFresh: Bool {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return true }
        // Seconds are compared first, so that an extreme time from a file server does not overflow.
        if statusChange[0] < now.tv_sec - 1 { return false }
        if statusChange[0] > now.tv_sec { return true }
        let age = (now.tv_sec - statusChange[0]) * 1000 + (now.tv_nsec - statusChange[1]) / 1_000_000
        return age <= Self.tick
    }

    /// The age in milliseconds up to which a change is fresh, twice the longest clock tick of local file systems.
    static let tick = 20
}
