// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The name of an imported model.
package enum ImportedName {
    /// The reason why a model cannot have a name.
    package enum Fault: Error, Sendable, Hashable {
        /// No name was given, and the name of the file has no letter or digit, or too many.
        case noName
        /// The name is not one that models can have.
        case impossible
        /// The default model has the name.
        case ofDefaultModel
        /// An installed model has the name.
        case taken(String)
    }

    /// Returns the name that was given, or a name from that of the file.
    ///
    /// - Parameter models: the installed models, whose names are taken.
    /// - Throws: `Fault`.
    package static func of(
        file: String, named given: String?, among models: InstalledModels
    ) throws(Fault) -> String {
        let name = given ?? derived(from: file)
        guard ModelManifest.isName(name) else { throw given == nil ? Fault.noName : Fault.impossible }
        // A model of the user with this name would silently take the place of the default model.
        guard name != InstalledModels.defaultModelName else { throw Fault.ofDefaultModel }
        guard !models.models().contains(where: { $0.name == name }) else { throw Fault.taken(name) }
        return name
    }

    /// Returns the letters and digits of a file's name, with a hyphen between its words.
    private static func derived(from file: String) -> String {
        let name = URL(fileURLWithPath: file).lastPathComponent.lowercased()
            .folding(options: .diacriticInsensitive, locale: nil).replacing("ß", with: "ss")
        let ending = [".mlmodel", ".mlpackage"].first(where: name.hasSuffix) ?? ""
        let stem = name.dropLast(ending.count)
        return stem.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
    }
}
