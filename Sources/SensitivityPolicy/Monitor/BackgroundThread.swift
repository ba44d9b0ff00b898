// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A thread that lives as long as the process.
enum BackgroundThread {
    /// Starts it; where the system gives no more threads, nothing happens.
    static func start(_ body: @escaping @Sendable () -> Void) {
        let context = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
        var thread = pthread_t()
        let error = unsafe pthread_create(
            &thread, nil,
            { argument in
                BackgroundThread.blockSignals()
                if let argument = unsafe argument {
                    unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                }
                return nil
            }, context)
        if error == 0 {
            pthread_detach(thread)
        } else {
            unsafe Unmanaged<Work>.fromOpaque(context).release()
        }
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// The app's signals are for the app's threads, but for those that tell of a fault in this one.
    private static func blockSignals() {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] {
            unsafe sigdelset(&signals, signal)
        }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
