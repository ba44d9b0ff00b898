// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The entries of searched folders that are judged; a path that the person names is always judged.
struct SearchFilter: Sendable {
    /// Patterns of entries to leave out; a folder that is left out is not searched.
    var excluded: [NamePattern] = []
    /// Patterns of the only files to judge; empty for all files.
    var included: [NamePattern] = []
    /// The moment after which a file was changed or put in its place.
    var newerThan: TimeLimit?
    /// Whether links in folders are followed.
    var followsLinks = false

    /// Whether a file or a folder is judged or searched.
    ///
    /// - Parameters:
    ///   - path: the path below the searched folder.
    ///   - isInNewFolder: whether a folder above it was put in its place after the moment.
    func admits(_ path: InputPath, _ status: stat, isInNewFolder: Bool = false) -> Bool {
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if excluded.contains(where: { $0.matches(path, isFolder: isFolder) }) { return false }
        guard !isFolder else { return true }
        guard included.isEmpty || included.contains(where: { $0.matches(path, isFolder: false) }) else { return false }
        return isInNewFolder || newerThan?.isBefore(status) ?? true
    }

    /// Whether a pattern is for paths, which depend on the link that leads to an entry.
    var hasPathPatterns: Bool { (excluded + included).contains(where: \.isForPaths) }
}
