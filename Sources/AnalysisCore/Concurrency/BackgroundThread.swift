// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A thread of one's own.
package enum BackgroundThread {
    /// Runs the closure on a new thread, which ends with it.
    ///
    /// - Parameter blocksSignals: whether the app's signals are left to its other threads; not for threads that start
    ///   programs, which would inherit that.
    /// - Returns: whether the system gave a thread; otherwise nothing is run.
    @discardableResult
    package static func start(blocksSignals: Bool = false, _ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Work {
            if blocksSignals { blockSignals() }
            body()
        }
        let context = unsafe Unmanaged.passRetained(work).toOpaque()
        var thread = pthread_t()
        let error = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                }
                return nil
            }, context)
        guard error == 0 else {
            unsafe Unmanaged<Work>.fromOpaque(context).release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// All but those that tell of a fault in this thread.
    private static func blockSignals() {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] {
            unsafe sigdelset(&signals, signal)
        }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
