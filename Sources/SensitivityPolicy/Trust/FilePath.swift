// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What is asked of absolute paths.
enum FilePath {
    /// The folder of what is at a path; the root for what lies directly in it.
    static func folder(of path: String) -> String {
        guard let end = path.lastIndex(of: "/"), end != path.startIndex else { return "/" }
        return String(path[..<end])
    }

    /// The path with all links followed, or nil where there is nothing.
    static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
