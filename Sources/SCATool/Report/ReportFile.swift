// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc

/// A report that is written while the analysis goes on, beside its place, and put there at the end.
///
/// What it holds in memory does not grow with the number of files.
struct ReportFile: Sendable {
    private let target: URL
    private let unfinished: URL
    private let handle: FileHandle

    /// - Throws: `CommandFailure` where it cannot be written.
    init(path: String) throws {
        target = URL(fileURLWithPath: path)
        unfinished = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString.prefix(8))")
        // For the person alone: names and scores are nobody else's business.
        guard
            FileManager.default.createFile(
                atPath: unfinished.path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: unfinished.path)
        else {
            throw CommandFailure("\(path) cannot be written. Check that its folder exists and may be written to.")
        }
        self.handle = handle
    }

    func write(_ text: String) throws {
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            throw CommandFailure("\(target.path) could not be written: \(error.localizedDescription)")
        }
    }

    /// Puts the file in its place, instead of what was there.
    func finish() throws {
        do {
            try handle.close()
            guard unsafe rename(unfinished.path, target.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw CommandFailure("\(target.path) could not be written: \(error.localizedDescription)")
        }
    }

    /// Removes what was written so far.
    func abandon() {
        try? handle.close()
        try? FileManager.default.removeItem(at: unfinished)
    }
}
