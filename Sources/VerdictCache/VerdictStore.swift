// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisEngine
package import FileAccess
internal import Glibc
package import Hashing
internal import Synchronization

/// The verdicts of earlier analyses of an account, by the content of the files and everything else that they depend on.
///
/// Names and paths of files are not stored. Only the account can read the file. Verdicts are stored one by one, so an
/// interrupted run loses none of its finished verdicts.
package final class VerdictStore: Sendable {
    /// The reason for which the cache cannot be used, for the person.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) {
            self.description = description
        }

        /// The failure of an account that has no folder for caches.
        package static let homeless = Failure("There is no home folder for the cache. Set HOME.")
    }

    private let table: Mutex<VerdictTable>

    /// Opens the cache of this account, or creates it.
    ///
    /// - Parameters:
    ///   - root: the cache folder of the project in the account.
    ///   - maximumCount: the number of verdicts above which the verdicts that were not used longest are removed.
    /// - Throws: `Failure` if the folder or the file cannot be used, or if another account could change it.
    package init(root: String, maximumCount: Int = 1_000_000) throws(Failure) {
        let folder = "\(root)/\(Self.folderName)"
        guard PrivateFolder.make([Self.folderName], below: root, mode: 0o700) else {
            throw Failure(
                "\(folder) cannot be used. It must be a folder of this account that nobody else can write to. Remove it,"
                    + " or make room for it.")
        }
        // SQLite is told to refuse every link, so links above the folder are resolved.
        let real = try Self.resolved(folder)
        guard PrivateFolder.isSecret(real) else {
            throw Failure(
                "\(folder) could be read or exchanged by another account. Nobody else may read it, or write to a folder"
                    + " above it.")
        }
        let path = "\(real)/\(Self.fileName)"
        try Self.makeFile(path)
        table = Mutex(try VerdictTable(path: path, maximumCount: maximumCount))
    }

    /// Returns the stored verdict; nil if there is none, or if it cannot be read.
    package func analysis(for key: VerdictKey) -> MediaAnalysis? {
        table.withLock { $0.analysis(for: key) }
    }

    /// Stores a verdict.
    ///
    /// - Returns: false if it cannot be stored, for example because the disk is full; the file is judged anew then.
    @discardableResult
    package func store(_ analysis: MediaAnalysis, for key: VerdictKey) -> Bool {
        table.withLock { $0.store(analysis, for: key) }
    }

    /// Returns the stored digest of a file in this state; nil if there is none.
    package func digest(ofFile state: FileState) -> SHA256Digest? {
        guard let key = state.digest else { return nil }
        return table.withLock { $0.digest(for: key) }
    }

    /// Stores the digest of a file in this state.
    ///
    /// A file that was changed in the last two seconds is left out: it could change again without a new time.
    package func store(_ digest: SHA256Digest, ofFile state: FileState) {
        guard state.isOlder(than: .seconds(2)), let key = state.digest else { return }
        table.withLock { $0.store(digest, for: key) }
    }

    /// The number of stored verdicts.
    package var count: Int { table.withLock { $0.count } }

    /// Whether an account has a cache.
    package static func exists(root: String) -> Bool { unsafe access(path(root: root), F_OK) == 0 }

    /// Removes the cache of an account with all verdicts.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `Failure` if it cannot be removed.
    package static func clear(root: String) throws(Failure) -> Bool {
        let folder = "\(root)/\(folderName)"
        var hasFound = false
        for ending in ["", "-wal", "-shm", "-journal"] {
            let path = "\(folder)/\(fileName)\(ending)"
            if unsafe unlink(path) == 0 {
                hasFound = true
            } else if errno != ENOENT, errno != ENOTDIR {
                throw Failure("\(path) cannot be removed (\(unsafe String(cString: strerror(errno)))).")
            }
        }
        _ = unsafe rmdir(folder)
        return hasFound
    }

    /// The path of the cache of an account.
    package static func path(root: String) -> String { "\(root)/\(folderName)/\(fileName)" }

    /// Creates the file with the right permissions, because SQLite would let others read it.
    private static func makeFile(_ path: String) throws(Failure) {
        let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else {
            throw Failure("\(path) cannot be opened (\(unsafe String(cString: strerror(errno)))).")
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0
        else {
            throw Failure(
                "\(path) is no file that only this account can read and write. Remove it with 'sca cache clear'.")
        }
    }

    private static func resolved(_ path: String) throws(Failure) -> String {
        guard let real = unsafe realpath(path, nil) else { throw Failure("\(path) cannot be opened.") }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    private static let folderName = "verdicts"
    private static let fileName = "verdicts.sqlite"
}

extension FileState {
    /// The SHA-256 of the state.
    fileprivate var digest: SHA256Digest? {
        guard var hash = try? SHA256() else { return nil }
        hash.update(bytes)
        return try? hash.digest()
    }
}
