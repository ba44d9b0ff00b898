// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation
package import HelperHost
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

extension ModelLauncher {
    /// Makes a launcher of the program in the first folder of the helpers that has it.
    ///
    /// - Parameter open: opens the files of the model for a start, given the number of lanes.
    package convenience init(
        paths: InstallationPaths, requiresSandbox: Bool = false, laneCount: Int = 1,
        opening open: @escaping @Sendable (Int) throws -> ModelParts
    ) {
        self.init(
            locator: HelperLocator(name: HelperKind.modelRunner.executableName, folders: paths.helpers),
            requiresSandbox: requiresSandbox, laneCount: laneCount, opening: open)
    }
}
