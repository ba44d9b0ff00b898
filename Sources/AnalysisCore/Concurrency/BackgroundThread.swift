// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Starts detached threads.
package enum BackgroundThread {
    /// Runs the closure on a new thread, which ends when the closure returns.
    ///
    /// - Parameter blocksSignals: whether the thread blocks the app's signals, so other threads handle them. Threads
    ///   that start programs must not block signals, because a program inherits the mask.
    /// - Returns: whether the system created the thread; otherwise the closure is not run.
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

    /// Blocks all signals in the calling thread, except signals that report a fault of the thread itself.
    private static func blockSignals() {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] {
            unsafe sigdelset(&signals, signal)
        }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
