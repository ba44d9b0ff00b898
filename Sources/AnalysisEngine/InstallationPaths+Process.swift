// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation
internal import HelperHost
internal import SensitivityPolicy

extension InstallationPaths {
    /// The folders for the running process, by its environment when it first asked: the one place that reads it.
    package static func ofThisProcess() -> InstallationPaths { thisProcess }

    private static let thisProcess = InstallationPaths(
        environment: ProcessInfo.processInfo.environment, executableFolder: executableFolder)

    /// The folders that only an administrator can change, whatever the environment says; without a cache, since that
    /// would be the account's own.
    package static let ofAdministrator: InstallationPaths = {
        var paths = InstallationPaths(environment: [:], executableFolder: executableFolder)
        let names = HelperKind.all.map(\.executableName)
        paths.helpers = paths.helpers.filter { folder in
            let present = names.map { "\(folder)/\($0)" }.filter(FileManager.default.fileExists)
            // A folder without any has no say: somebody else might put one there later.
            return !present.isEmpty && present.allSatisfy { AdministratorOwned.holds($0) }
        }
        paths.inferenceLibraries = paths.inferenceLibraries.filter { AdministratorOwned.holds($0) }
        paths.models = paths.models.filter { AdministratorOwned.holds($0) }
        return paths
    }()

    /// The folder of the running program, by the kernel's word and not by that of its caller.
    private static var executableFolder: String? { AppIdentity.executablePath.map { AppIdentity(path: $0).folder } }
}
