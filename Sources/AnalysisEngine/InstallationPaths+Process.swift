// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation

extension InstallationPaths {
    /// The folders for the running process, by its environment when it first asked: the one place that reads it.
    package static func ofThisProcess() -> InstallationPaths { thisProcess }

    private static let thisProcess = InstallationPaths(
        environment: ProcessInfo.processInfo.environment, executableFolder: executableFolder)

    /// The folder of the running program, by the kernel's word and not by that of its caller.
    private static var executableFolder: String? {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
