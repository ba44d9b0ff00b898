// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Which app asks.
package struct AppIdentity: Sendable, Hashable {
    /// The executable, with links resolved.
    package let path: String
    /// The last part of the path.
    package var name: String { String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...]) }
    package var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    /// - Parameter path: absolute.
    package init(path: String) {
        self.path = path
    }

    /// The running program, by the kernel's word and not by that of its caller.
    package static let ofThisProcess = AppIdentity(path: executablePath ?? "/")

    /// The running program, or nil where the kernel does not tell it.
    package static let executablePath: String? = {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        // What the kernel appends after an update of the running program.
        let ending = " (deleted)"
        return path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : path
    }()
}
