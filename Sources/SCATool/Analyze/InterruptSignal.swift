// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// The reaction to Ctrl-C: the command ends with exit code 130, at once or after a cancellation.
///
/// Other signals that end a program end this program too, after its unfinished files are removed.
enum InterruptSignal {
    private static let handler = Mutex<(@Sendable () -> Void)?>(nil)

    /// The last signal that was not handled yet, unless it was Ctrl-C; 0 if there is none.
    private static let other = Atomic<Int32>(0)

    /// Counts the signals that were not handled yet.
    private nonisolated(unsafe) static let arrivals: UnsafeMutablePointer<sem_t> = {
        let arrivals = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        unsafe sem_init(arrivals, 0, 0)
        return unsafe arrivals
    }()

    /// Handles the signals on a thread of its own, except signals that the starting program has ignored.
    ///
    /// Shells ignore signals for programs in the background. A Dispatch source would lose a signal during its setup.
    static func watch() {
        let watched = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter(SignalAction.isUsual)
        guard !watched.isEmpty else { return }
        _ = unsafe arrivals
        other.store(0, ordering: .relaxed)
        var thread = pthread_t()
        let error = unsafe pthread_create(
            &thread, nil,
            { _ in
                InterruptSignal.attend()
                return nil
            }, nil)
        // Without the thread, the signals keep their usual effect. The handler makes only calls that handlers may make.
        guard error == 0 else { return }
        for number in watched {
            signal(number) { number in
                if number != SIGINT { InterruptSignal.other.store(number, ordering: .relaxed) }
                unsafe sem_post(InterruptSignal.arrivals)
            }
        }
    }

    /// Makes the next Ctrl-C call a closure instead of ending the program; the Ctrl-C after it ends the program.
    static func handle(with body: @escaping @Sendable () -> Void) {
        handler.withLock { $0 = body }
    }

    private static func attend() {
        while true {
            guard unsafe sem_wait(arrivals) == 0 else { continue }
            let number = other.load(ordering: .relaxed)
            if number != 0 { SignalAction.end(by: number) }
            let body = handler.withLock { handler -> (@Sendable () -> Void)? in
                defer { handler = nil }
                return handler
            }
            guard let body else { ProcessEnd.now(130) }
            body()
        }
    }
}
