// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Keeps the end of the process and the use of OpenVINO apart.
///
/// When a process calls `exit`, the C library takes OpenVINO's global objects down while other threads may still be
/// running a model, which crashes. The end therefore waits for what is under way, and nothing new begins.
///
/// What this cannot mend is an `exit` while the first model is being compiled: OpenVINO makes global objects meanwhile,
/// which are registered after any handler of ours and so go before it. A program that may end so early, as the command
/// does when its only input is refused, ends with `_exit`.
enum OpenVINOActivity {
    /// Runs a call of OpenVINO, unless the process is ending: then it waits for the end.
    static func perform<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        gate.enter()
        defer { gate.leave() }
        return try body()
    }

    /// Makes the end of the process wait.
    ///
    /// Call it once a model is compiled: what is registered later runs earlier.
    static func delayExit() {
        _ = registration
    }

    private static let gate = Gate()
    private static let registration: Void = { atexit { gate.close() } }()
}

/// A door through which any number may pass at once, until it is closed for ever.
@safe
final class Gate: @unchecked Sendable {
    // @unchecked: the lock is made for several threads, and never freed.

    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() {
        var attributes = pthread_rwlockattr_t()
        unsafe pthread_rwlockattr_init(&attributes)
        // Otherwise those who come keep the door open for ever, as long as there is always one inside.
        unsafe pthread_rwlockattr_setkind_np(&attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
        unsafe pthread_rwlock_init(lock, &attributes)
        unsafe pthread_rwlockattr_destroy(&attributes)
    }

    func enter() {
        unsafe pthread_rwlock_rdlock(lock)
    }

    func leave() {
        unsafe pthread_rwlock_unlock(lock)
    }

    func close() {
        unsafe pthread_rwlock_wrlock(lock)
    }
}
