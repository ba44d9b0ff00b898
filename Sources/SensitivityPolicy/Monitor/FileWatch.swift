// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Waits until one of several files may have changed, including files that do not exist yet.
///
/// `renew` precedes each reading of the files, so that a change between the reading and the wait is noticed.
///
/// The kernel takes some ten milliseconds to close a descriptor of inotify, also at the end of a process. So a watch
/// opens none in its first second, after which the files are read again, and keeps the same descriptor from then on.
final class FileWatch {
    private let paths: [String]
    private let beginning: ContinuousClock.Instant
    /// The descriptor of inotify; nil in the first second, and negative if the system provides none.
    private(set) var descriptor: Int32?
    private var watches: Set<Int32> = []
    private var isComplete = false

    init(_ paths: [String], at now: ContinuousClock.Instant = .now) {
        self.paths = paths
        beginning = now
    }

    deinit {
        if let descriptor, descriptor >= 0 { close(descriptor) }
    }

    /// Watches the folders in which the files now are, and forgets the changes so far.
    func renew(at now: ContinuousClock.Instant = .now) {
        guard beginning.duration(to: now) >= Self.timeWithoutDescriptor else { return }
        // A process that could open no more descriptors may be able to now.
        var descriptor = descriptor ?? -1
        if descriptor < 0 { descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK)) }
        self.descriptor = descriptor
        guard descriptor >= 0 else { return }
        Self.discardBytes(of: descriptor)
        isComplete = true
        var current: Set<Int32> = []
        for folder in Set(paths.flatMap(Self.folders)) {
            let watch = unsafe inotify_add_watch(descriptor, folder, Self.events)
            if watch >= 0 { current.insert(watch) } else if errno != ENOENT { isComplete = false }
        }
        for watch in watches.subtracting(current) { inotify_rm_watch(descriptor, watch) }
        watches = current
    }

    /// Blocks until a file may have changed, the signal is sent, or an interval ends.
    ///
    /// - Parameter settlingTime: the pause after an event in microseconds; editors change a file in several steps.
    func wait(settlingTime: UInt32, wakingFor signal: WakeSignal? = nil) {
        // `poll` ignores descriptors below 0.
        var requests = [descriptor ?? -1, signal?.descriptor ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let result = unsafe poll(&requests, UInt(requests.count), longestWait(signal))
        // If the process may open no descriptors, `poll` fails too.
        if result < 0 && errno != EINTR { usleep(UInt32(Self.interval) * 1000) }
        if requests[0].revents != 0 { usleep(settlingTime) }
        signal?.clear()
    }

    /// The longest wait in milliseconds.
    private func longestWait(_ signal: WakeSignal?) -> Int32 {
        guard descriptor != nil else {
            let rest = ContinuousClock.now.duration(to: beginning + Self.timeWithoutDescriptor)
            // Rounded up, so that the second is over then.
            return Int32(max(.zero, rest) / .milliseconds(1)) + 1
        }
        let isAwake = signal.map { $0.descriptor >= 0 } ?? true
        // The interval covers folders that cannot be watched, and changes of network folders by other machines.
        return isComplete && isAwake ? Self.longInterval : Self.interval
    }

    static func discardBytes(of descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
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
    private static let timeWithoutDescriptor = Duration.seconds(1)
}
