// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import FileAccess
internal import Synchronization

/// The file of an input, which notes its state when it is first opened.
final class JudgedFile: Sendable {
    private let path: InputPath
    private let first = Mutex<FileState?>(nil)

    init(_ input: FoundInput) {
        path = input.path
    }

    /// Opens the file.
    ///
    /// - Throws: `inputUnreadable`, or `invalidArgument` for a folder.
    func open() throws(AnalysisFailure) -> OwnedDescriptor {
        let descriptor = try unsafe path.withCString { path throws(AnalysisFailure) in
            unsafe try OwnedDescriptor.openRegularFile(at: path)
        }
        first.withLock { $0 = $0 ?? FileState(descriptor) }
        return descriptor
    }

    /// The state at the first opening; nil if the file was not opened.
    var state: FileState? { first.withLock { $0 } }
}
