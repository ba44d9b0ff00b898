// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The right to change a settings file, which one writer has at a time.
///
/// It is a file of its own beside the settings, since these are replaced by a rename. Only accounts that may write the
/// settings can open it, so nobody else can hold a writer up.
struct SettingsLock: ~Copyable {
    private let file: Int32

    /// Waits until no other writer has the right, five seconds at most.
    init(of path: String) throws(SettingsWriteFailure) {
        let lock = "\(path).lock"
        let file = unsafe open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { throw SettingsWriter.failure(lock) }
        for _ in 0..<500 {
            if flock(file, LOCK_EX | LOCK_NB) == 0 {
                self.file = file
                return
            }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            usleep(10_000)
        }
        let error = SettingsWriter.failure(path)
        close(file)
        guard !error.isForbidden else { throw error }
        throw SettingsWriteFailure(
            description: "\(path) is being changed by another program. Nothing was changed; try again.")
    }

    func release() {
        close(file)
    }
}
