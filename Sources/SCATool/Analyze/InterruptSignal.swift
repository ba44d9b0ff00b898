// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// What happens when the person presses Ctrl-C: the command ends with 130, at once or after what it cancels.
enum InterruptSignal {
    private static let handler = Mutex<(@Sendable () -> Void)?>(nil)

    /// Counts the signals that have come and were not attended to.
    private nonisolated(unsafe) static let arrivals: UnsafeMutablePointer<sem_t> = {
        let arrivals = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        unsafe sem_init(arrivals, 0, 0)
        return unsafe arrivals
    }()

    /// Has a thread of its own attend to the signal, unless who started the command has it ignored, as shells do for
    /// what runs in the background.
    ///
    /// Not by a Dispatch source: it loses a signal that comes while it is being set up.
    static func watch() {
        var former = sigaction()
        guard unsafe sigaction(SIGINT, nil, &former) == 0, !isIgnored(former) else { return }
        _ = unsafe arrivals
        var thread = pthread_t()
        let error = unsafe pthread_create(
            &thread, nil,
            { _ in
                InterruptSignal.attend()
                return nil
            }, nil)
        // Without the thread, the signal keeps its usual effect. The handler does what a handler may do, and no more.
        if error == 0 { signal(SIGINT) { _ in unsafe sem_post(InterruptSignal.arrivals) } }
    }

    /// Has the next signal call a closure instead of ending the program; the one after it ends the program.
    static func handle(with body: @escaping @Sendable () -> Void) {
        handler.withLock { $0 = body }
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        // SIG_IGN is the address 1, which has no name in Swift.
        unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    private static func attend() {
        while true {
            guard unsafe sem_wait(arrivals) == 0 else { continue }
            let body = handler.withLock { handler -> (@Sendable () -> Void)? in
                defer { handler = nil }
                return handler
            }
            guard let body else { ProcessEnd.now(130) }
            body()
        }
    }
}
