// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation
package import HelperHost
internal import HelperProtocol
internal import SensitivityPolicy

extension InstallationPaths {
    /// Returns the folders for the running process, by its environment at the first call.
    package static func ofThisProcess() -> InstallationPaths { thisProcess }

    private static let thisProcess = InstallationPaths(
        environment: ProcessInfo.processInfo.environment, executableFolder: executableFolder)

    /// The folders that only an administrator can change, without the environment and the cache of the account.
    package static let ofAdministrator = ofAdministrator(executableFolder: executableFolder)

    /// Returns the folders for a program in a folder, with the environment of this process.
    package static func ofProgram(in executableFolder: String) -> InstallationPaths {
        InstallationPaths(
            environment: ProcessInfo.processInfo.environment, executableFolder: executableFolder)
    }

    /// Returns the folders for a program in a folder that only an administrator can change.
    package static func ofAdministrator(executableFolder: String?) -> InstallationPaths {
        var paths = InstallationPaths(environment: [:], executableFolder: executableFolder)
        let names = HelperKind.all.map(\.executableName) + [NodeCaptureRequest.executableName]
        paths.helpers = paths.helpers.filter { folder in
            let present = names.map { "\(folder)/\($0)" }.filter(FileManager.default.fileExists)
            // A folder without helpers is left out, because somebody else might put a helper there later.
            return !present.isEmpty && present.allSatisfy { AdministratorOwned.holds($0) }
        }
        paths.inferenceLibraries = paths.inferenceLibraries.filter { AdministratorOwned.holds($0) }
        paths.models = paths.models.filter { AdministratorOwned.holds($0) }
        return paths
    }

    /// The folder of the running program, from the kernel and not from the caller of the program.
    private static var executableFolder: String? { AppIdentity.executablePath.map { AppIdentity(path: $0).folder } }
}

extension ModelLauncher {
    /// Creates a launcher for a helper program, from the first folder of helpers that contains the program.
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
