// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation
internal import ModelStore

/// The addition of a model to those of this user, for the commands that add and import models.
enum ModelAddition {
    /// Runs the closure with the folder of the user's models, and turns its errors into those of the command.
    ///
    /// - Throws: `CommandFailure` with the remedy.
    static func run(_ add: (String) throws(AnalysisFailure) -> InstalledModel) throws -> InstalledModel {
        guard let target = InstallationPaths.ofThisProcess().userModels else {
            throw CommandFailure("There is no home folder to keep the model in. Set HOME or XDG_DATA_HOME.")
        }
        try OutputFolder.requireWritable(target, remedy: "Set XDG_DATA_HOME or HOME to a folder of yours.")
        do throws(AnalysisFailure) {
            return try add(target)
        } catch {
            if error.code == .invalidArgument { throw CommandFailure.usage(error.message) }
            guard error.cause is CocoaError else { throw CommandFailure(error.message) }
            throw CommandFailure(
                "\(error.message) Make room in \(target), or set XDG_DATA_HOME to a folder with room.",
                exitCode: CommandFailure.outputCode)
        }
    }

    /// Warns of a manifest whose numbers for a picture can hardly be right.
    static func warn(about model: InstalledModel) {
        let doubts = model.manifest.doubts
        guard !doubts.isEmpty else { return }
        for doubt in doubts { StandardError.write("Warning: \(doubt)\n") }
        StandardError.write("To change it, remove \(TerminalText.printable(model.folder)), and add the model again.\n")
    }
}
