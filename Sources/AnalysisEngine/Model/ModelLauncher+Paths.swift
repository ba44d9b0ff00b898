// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import HelperHost

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
