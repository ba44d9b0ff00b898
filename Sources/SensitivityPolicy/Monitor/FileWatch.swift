// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Waits until one of several files may have changed, including files that do not exist yet.
///
/// It must be created before the files are read, so that it notices a change between the read and the wait.
final class FileWatch {
    private let descriptor: Int32
    private let isComplete: Bool

    init(_ paths: [String]) {
        descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
        guard descriptor >= 0 else {
            isComplete = false
            return
        }
        var isComplete = true
        for folder in Set(paths.flatMap(Self.folders)) {
            let watch = unsafe inotify_add_watch(descriptor, folder, Self.events)
            if watch < 0 && errno != ENOENT { isComplete = false }
        }
        self.isComplete = isComplete
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Blocks until a file may have changed, the signal is sent, or an interval ends.
    ///
    /// - Parameter settlingTime: the pause after an event in microseconds; editors change a file in several steps.
    func wait(settlingTime: UInt32, wakingFor signal: WakeSignal? = nil) {
        // `poll` ignores descriptors below 0.
        var requests = [descriptor, signal?.descriptor ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let isAwake = signal.map { $0.descriptor >= 0 } ?? true
        // The interval covers folders that cannot be watched, and changes of network folders by other machines.
        let result = unsafe poll(
            &requests, UInt(requests.count), isComplete && isAwake ? Self.longInterval : Self.interval)
        // If the process may open no descriptors, `poll` fails too.
        if result < 0 && errno != EINTR { usleep(UInt32(Self.interval) * 1000) }
        if requests[0].revents != 0 { usleep(settlingTime) }
        signal?.clear()
    }

    /// Returns the folders that have an event when the file is written, replaced, created or removed.
    private static func folders(of path: String) -> [String] {
        var folders: [String] = []
        var folder = path
        while folder != "/" {
            folder = FilePath.folder(of: folder)
            folders.append(folder)
            if unsafe access(folder, F_OK) == 0 { break }
        }
        // If the path is a link, the file itself is in another folder, which needs a watch as well.
        if let target = FilePath.resolved(path), target != path { folders.append(FilePath.folder(of: target)) }
        return folders
    }

    private static let events = UInt32(
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR)
    /// The longest waits in milliseconds: the short one if a folder cannot be watched, otherwise the long one.
    private static let interval: Int32 = 2000
    private static let longInterval: Int32 = 60_000
}

/// A pipe with which one thread wakes another thread from `FileWatch.wait`.
final class WakeSignal: Sendable {
    /// The descriptor that is readable after the signal was sent; -1 if the system provides none.
    let descriptor: Int32
    private let end: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        if unsafe pipe(&ends) != 0 { ends = [-1, -1] }
        for each in ends where each >= 0 {
            _ = fcntl(each, F_SETFD, FD_CLOEXEC)
            _ = fcntl(each, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        end = ends[1]
    }

    deinit {
        for each in [descriptor, end] where each >= 0 { close(each) }
    }

    func send() {
        // A failed write to a full pipe is harmless, because the bytes in the pipe wake the thread.
        var byte: UInt8 = 1
        unsafe _ = write(end, &byte, 1)
    }

    /// Removes all signals that were sent so far.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
