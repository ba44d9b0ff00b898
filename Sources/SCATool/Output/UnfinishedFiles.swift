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

/// The end of the command.
enum ProcessEnd {
    /// Ends the process at once, with everything printed and no unfinished file.
    ///
    /// Not by `exit`: a model may still be loading on another thread, and would be running while the objects that it
    /// uses are taken down. The cache of compiled models copes with a writer that ends in mid-work.
    ///
    /// Streams of the C library are not flushed: nothing is written by them, and a thread that waits for an answer holds
    /// standard input, so that a signal would end nothing.
    static func now(_ code: Int32) -> Never {
        UnfinishedFiles.removeAll()
        _exit(code)
    }
}
