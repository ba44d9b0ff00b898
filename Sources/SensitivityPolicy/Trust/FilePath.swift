// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Functions for absolute paths.
enum FilePath {
    /// Returns the folder that contains the path's file; "/" for an entry of the root folder.
    static func folder(of path: String) -> String {
        guard let end = path.lastIndex(of: "/"), end != path.startIndex else { return "/" }
        return String(path[..<end])
    }

    /// Returns the path with all links followed, or nil if there is no file.
    static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
