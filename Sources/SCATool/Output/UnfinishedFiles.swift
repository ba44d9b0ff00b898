// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc
internal import Synchronization

/// The files and folders that are not complete yet, all of which are removed when the command ends.
enum UnfinishedFiles {
    private static let paths = Mutex<Set<String>>([])

    static func add(_ path: String) {
        _ = paths.withLock { $0.insert(path) }
    }

    /// Forgets a file that was moved to its final path, so that it is not removed.
    static func forget(_ path: String) {
        _ = paths.withLock { $0.remove(path) }
    }

    static func remove(_ path: String) {
        guard paths.withLock({ $0.remove(path) }) != nil else { return }
        _ = unsafe unlink(path)
    }

    static func removeAll() {
        paths.withLock { paths in
            for path in paths where unsafe unlink(path) != 0 && errno == EISDIR {
                try? FileManager.default.removeItem(atPath: path)
            }
            paths = []
        }
    }
}
