// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import Foundation
internal import ModelStore

/// The name of an imported model.
enum ImportedName {
    /// Returns the name that was given, or a name from that of the file.
    ///
    /// - Throws: `CommandFailure` for a name that models cannot have, or that the default model has.
    static func of(file: String, named given: String?) throws -> String {
        let name = given ?? derived(from: file)
        guard ModelManifest.isName(name) else {
            throw CommandFailure.usage(
                given == nil
                    ? "The file's name gives no model name of 1 to 64 letters and digits. Choose a name with --name."
                    : "--name must have 1 to 64 lower-case letters, digits and hyphens.")
        }
        // A model of the user with this name would silently take the place of the default model.
        guard name != InstalledModels.defaultModelName else {
            throw CommandFailure.usage(
                "The name \(name) belongs to the default model. Choose another name with --name.")
        }
        guard
            !InstalledModels(folders: InstallationPaths.ofThisProcess().models).models().contains(where: {
                $0.name == name
            })
        else {
            throw CommandFailure.usage(
                "A model named \(name) is installed already. Choose another name with --name, or remove the folder that"
                    + " 'sca model list' shows.")
        }
        return name
    }

    /// Returns the letters and digits of a file's name, with a hyphen between its words.
    private static func derived(from file: String) -> String {
        let name = URL(fileURLWithPath: file).lastPathComponent.lowercased()
            .folding(options: .diacriticInsensitive, locale: nil).replacing("ß", with: "ss")
        let stem = name.hasSuffix(".mlmodel") ? String(name.dropLast(".mlmodel".count)) : name
        return stem.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
    }
}
