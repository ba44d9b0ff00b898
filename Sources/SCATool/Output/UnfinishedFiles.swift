// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// The files that stand beside their places until they are complete; none is left when the command ends.
enum UnfinishedFiles {
    private static let paths = Mutex<Set<String>>([])

    static func add(_ path: String) {
        _ = paths.withLock { $0.insert(path) }
    }

    /// Forgets a file that has got its place.
    static func forget(_ path: String) {
        _ = paths.withLock { $0.remove(path) }
    }

    static func remove(_ path: String) {
        guard paths.withLock({ $0.remove(path) }) != nil else { return }
        _ = unsafe unlink(path)
    }

    static func removeAll() {
        paths.withLock { paths in
            for path in paths { _ = unsafe unlink(path) }
            paths = []
        }
    }
}
