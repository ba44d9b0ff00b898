// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import CLinuxShims
internal import Dispatch
internal import FileAccess
internal import Glibc
internal import HelperProtocol
internal import Synchronization

/// A child process, whose exit status is collected as soon as it ends, so that no zombie remains.
final class ChildProcess: Sendable {
    let identifier: pid_t
    /// A descriptor that becomes readable when the process has ended.
    private let watch: OwnedDescriptor
    private let ending: Mutex<Ending?>

    enum Ending: Sendable, Equatable {
        case exited(Int32)
        case signalled(Int32)
        /// Other code has waited for the process first and taken its exit status.
        case unknown
    }

    /// Starts a program with these descriptors as its descriptors from 3 on.
    ///
    /// - Parameter descriptors: none for a program whose output goes to standard error. All but the first must be larger
    ///   than those that the program gets.
    /// - Throws: the system call that failed, with its errno value.
    init(path: String, arguments: [String], environment: [String], descriptors: [Int32]) throws(TransportError) {
        let list = CStringList([path] + arguments)
        let variables = CStringList(environment)
        var identifier: pid_t = 0
        let error = unsafe path.withCString {
            unsafe CLinuxShims_spawn(
                &identifier, $0, list.pointers, variables.pointers, descriptors, Int32(descriptors.count),
                descriptors.isEmpty ? 1 : 0)
        }
        guard error == 0 else { throw .systemCall("posix_spawn", error) }
        let watch = CLinuxShims_pidfd_open(identifier)
        guard watch >= 0 else {
            Glibc.kill(identifier, SIGKILL)
            _ = CLinuxShims_reap(identifier, 1)
            throw .systemCall("pidfd_open", -watch)
        }
        self.identifier = identifier
        self.watch = OwnedDescriptor(watch)
        ending = Mutex(nil)

        let source = DispatchSource.makeReadSource(fileDescriptor: watch)
        source.setEventHandler {
            // The handler keeps this object, and with it the watched descriptor, until the process has ended.
            if self.collect() != nil { source.cancel() }
        }
        source.resume()
    }

    /// Ends the process at once, unless it has ended already.
    func kill() {
        // Under the lock, because the identifier may belong to another process after this process is collected.
        ending.withLock { ending in
            guard ending == nil, CLinuxShims_pidfd_kill(watch.number) == 0 else { return }
            // If the sandbox lacks a layer, the process may have started children. Children in its group end too.
            _ = Glibc.kill(-identifier, SIGKILL)
        }
    }

    /// Whether another program has stopped the process (SIGSTOP), so that it cannot answer.
    var isStopped: Bool {
        ending.withLock { ending in
            var information = unsafe siginfo_t()
            // The process sends no signal at its end, so it counts as a clone (__WALL), and its state is left to others.
            let flags = WSTOPPED | WNOHANG | WNOWAIT | Int32(bitPattern: UInt32(__WALL))
            guard ending == nil, unsafe waitid(P_PID, id_t(identifier), &information, flags) == 0 else { return false }
            return unsafe information.si_signo == SIGCHLD
        }
    }

    /// The processor time that all threads of the process have used, or nil if the process has ended.
    var processorTime: Duration? {
        ending.withLock { ending in
            var (clock, time) = (clockid_t(), timespec())
            guard ending == nil, unsafe clock_getcpuclockid(identifier, &clock) == 0,
                unsafe clock_gettime(clock, &time) == 0
            else { return nil }
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }

    /// Waits for the end of the process for at most this time, and returns the kind of end, or nil if it still runs.
    func ending(within milliseconds: Int32) -> Ending? {
        var entry = pollfd(fd: watch.number, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&entry, 1, milliseconds) < 0 && errno == EINTR {}
        return collect()
    }

    /// Waits for the end of a process whose connection is closed, and kills a process that goes on.
    func endingAfterClosing() -> Ending? {
        if let ending = ending(within: 100) { return ending }
        kill()
        return ending(within: 1000)
    }

    private func collect() -> Ending? {
        ending.withLock { ending in
            if ending == nil {
                switch CLinuxShims_reap(identifier, 0) {
                case -1: break
                case -2: ending = .unknown
                case let status where status >= 256: ending = .signalled(status - 256)
                case let status: ending = .exited(status)
                }
            }
            return ending
        }
    }
}

/// Strings in C's form for the arguments and the environment of a program.
@safe
private final class CStringList {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        unsafe pointers = .allocate(capacity: strings.count + 1)
        for (index, string) in strings.enumerated() { unsafe pointers[index] = strdup(string) }
        unsafe pointers[strings.count] = nil
    }

    deinit {
        for index in 0..<count { unsafe free(pointers[index]) }
        unsafe pointers.deallocate()
    }
}
