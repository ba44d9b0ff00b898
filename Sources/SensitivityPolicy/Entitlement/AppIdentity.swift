// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The identity of an app.
package struct AppIdentity: Sendable, Hashable {
    /// The path of the executable, with links resolved.
    package let path: String
    /// The last part of the path.
    package var name: String { String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...]) }
    package var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    /// - Parameter path: an absolute path.
    package init(path: String) {
        self.path = path
    }

    /// The identity of the running program, as the kernel reports it; arguments and environment cannot change it.
    package static let ofThisProcess = AppIdentity(path: executablePath ?? "/")

    /// The path of the running program, or nil if the kernel does not report it.
    package static let executablePath: String? = {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        // The kernel appends this ending after an update of the running program.
        let ending = " (deleted)"
        return path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : path
    }()
}
