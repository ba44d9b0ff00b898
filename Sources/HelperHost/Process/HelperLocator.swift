// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Glibc
internal import HelperProtocol

/// Finds the executable of a helper.
package struct HelperLocator: Sendable {
    private let folders: [String]
    private let name: String

    package init(name: String, folders: [String]) {
        self.name = name
        self.folders = folders
    }

    /// The place of the program that captures from PipeWire.
    package static func captureProgram(in folders: [String]) -> HelperLocator {
        HelperLocator(name: NodeCaptureRequest.executableName, folders: folders)
    }

    /// Returns the path of the program in the first folder that has it.
    ///
    /// - Throws: `decoderUnavailable` with the remedy.
    package func path() throws(AnalysisFailure) -> String {
        for folder in folders {
            let path = "\(folder)/\(name)"
            if unsafe access(path, X_OK) == 0 { return path }
        }
        throw AnalysisFailure(
            .decoderUnavailable,
            "The program \(name) was not found. An app names the product \(name) of the package"
                + " sensitive-content-analysis among its dependencies, which builds it beside the app;"
                + " an installation has it in libexec/sensitive-content-analysis.")
    }
}
