// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

/// The folder in which OpenVINO keeps a model in compiled form, which quarters the time to start.
///
/// OpenVINO writes into the folder without regard for other processes. A lock is therefore held until a mark says that
/// the compiled form is complete; what is there without the mark was left by a process that was interrupted.
struct CompiledModelCache {
    let folder: String
    private let mark: String

    /// - Parameters:
    ///   - root: the user's cache folder of this project.
    ///   - modelHash: the SHA-256 of the model.
    ///   - configuration: whatever else the compiled form depends on, usable as a file name.
    init?(root: String?, libraryVersion: String, modelHash: String, configuration: String) {
        guard let root else { return nil }
        let version = libraryVersion.filter { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
        folder = "\(root)/compiled/\(version)/\(modelHash.prefix(16))-\(configuration)"
        mark = "\(folder)/complete"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            return nil
        }
        // Such a folder is only as trustworthy as who can write into it.
        var status = stat()
        guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0
        else { return nil }
    }

    /// Whether the compiled form is there, and was left by a process that came to its end.
    private var isComplete: Bool {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.contains("complete") && entries.contains { $0.hasSuffix(".blob") }
    }

    /// Compiles with the cache, alone if the compiled form does not exist yet.
    func whileLocked<Value, Failure: Error>(_ compile: () throws(Failure) -> Value) throws(Failure) -> Value {
        if isComplete { return try compile() }
        let lock = unsafe open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { if lock >= 0 { close(lock) } }
        if lock >= 0 { while flock(lock, LOCK_EX) < 0 && errno == EINTR {} }
        if !isComplete {
            for entry in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where entry != "lock" {
                try? FileManager.default.removeItem(atPath: "\(folder)/\(entry)")
            }
        }
        let value = try compile()
        // Without the mark the next process compiles again, which costs time and nothing else.
        _ = FileManager.default.createFile(atPath: mark, contents: nil)
        return value
    }
}
