// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Foundation
internal import ModelStore

/// The explanation of a model that cannot be used.
enum ModelFault {
    /// Returns the message of a failure, and for a damaged model its folder and the command that replaces it.
    ///
    /// - Parameter folders: the folders that are searched for models, in this order.
    static func explanation(of failure: AnalysisFailure, model name: String, in folders: [String]) -> String {
        let store = InstalledModels(folders: folders)
        // OpenVINO or a helper may be at fault, and then the model needs no replacement.
        guard failure.code == .modelUnavailable, (try? store.model(named: name).verify()) == nil,
            let folder = store.folder(ofModelNamed: name)
        else { return failure.message }
        return "\(failure.message) The model is in \(TerminalText.printable(folder)). \(remedy(for: name, in: folder))"
    }

    private static func remedy(for name: String, in folder: String) -> String {
        if let named = ProcessInfo.processInfo.environment["SCA_MODELS"], folder == "\(named)/\(name)" {
            return
                "The variable SCA_MODELS names this folder, so the model in it goes before others: unset it, or copy the"
                + " model there anew."
        }
        guard name == InstalledModels.defaultModelName else {
            return "Remove this folder, and add the model again with 'sca model add' or 'sca model import'."
        }
        return folder.hasPrefix("/usr/share/")
            ? "'sudo apt reinstall sensitive-content-analysis-model' replaces it."
            : "'scripts/bootstrap' in the project's folder replaces it."
    }
}
