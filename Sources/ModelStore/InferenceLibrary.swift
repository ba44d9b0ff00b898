// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation

/// The folder of OpenVINO that is used.
package struct InferenceLibrary: Sendable {
    package let folder: String

    /// Finds the first of the folders that has OpenVINO's C library.
    ///
    /// - Throws: `modelUnavailable` with the remedy.
    package init(folders: [String]) throws(AnalysisFailure) {
        let found = folders.first { folder in
            // The name of the library's file contains its version: libopenvino_c.so.2641 is 2026.4.1.
            (try? FileManager.default.contentsOfDirectory(atPath: folder))?
                .contains { $0.hasPrefix("libopenvino_c.so") } == true
        }
        guard let found else {
            throw AnalysisFailure(
                .modelUnavailable,
                "The OpenVINO libraries were not found. Run `make run` in the project's folder, or `scripts/bootstrap`,"
                    + " to install them.")
        }
        folder = found
    }

    /// Returns a text for each file in the folder, which changes if the file is written to or replaced.
    func fileStates() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().map { "\($0)=\(FileStateText.of("\(folder)/\($0)") ?? "")" }
    }
}
