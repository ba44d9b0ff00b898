// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc

/// A shell pattern for names; with a slash inside, for paths below the searched folder.
struct NamePattern: ExpressibleByArgument, Sendable {
    private let pattern: String
    private let isForFolders: Bool
    let isForPaths: Bool

    init?(argument: String) {
        isForFolders = argument.hasSuffix("/")
        pattern = isForFolders ? String(argument.dropLast()) : argument
        guard !pattern.isEmpty else { return nil }
        isForPaths = pattern.contains("/")
    }

    /// Source: POSIX.1-2017, XCU 2.13, "Pattern Matching Notation".
    func matches(_ path: InputPath, isFolder: Bool) -> Bool {
        guard isFolder || !isForFolders else { return false }
        return unsafe (isForPaths ? path : path.name).withCString { unsafe fnmatch(pattern, $0, FNM_PATHNAME) == 0 }
    }
}
