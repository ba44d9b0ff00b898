// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// The folders that are searched for helpers, libraries and models, in the order of preference.
package struct InstallationPaths: Sendable, Hashable {
    /// Folders that may hold the executables of helpers.
    package var helpers: [String]
    /// Folders that may hold the OpenVINO libraries.
    package var inferenceLibraries: [String]
    /// Folders that may contain the folders of models.
    package var models: [String]
    /// Folders below which an installation keeps compiled copies of models.
    package var compiledCopies: [String]
    /// The cache folder, whose data can be computed again; nil if the user has no such folder.
    package var cache: String?
    /// The folder for a user's own models, or nil if the user has no such folder.
    package var userModels: String?

    /// Derives the folders.
    ///
    /// - Parameters:
    ///   - environment: the variables of the process; only `SCA_LIBEXEC`, `SCA_OPENVINO`, `SCA_MODELS`,
    ///     `XDG_DATA_HOME`, `XDG_CACHE_HOME` and `HOME` are read.
    ///   - executableFolder: the folder of the running program, with links resolved.
    package init(environment: [String: String], executableFolder: String?) {
        let home = environment.absolutePath("HOME")
        let project = "sensitive-content-analysis"
        // A program in PREFIX/bin belongs to the installation in PREFIX.
        let own = executableFolder.flatMap { $0.hasSuffix("/bin") ? String($0.dropLast(4)) : nil }
        let user = home.map { "\($0)/.local" }
        var prefixes: [String] = []
        for prefix in [own, user, "/usr/local", "/usr"].compactMap({ $0 }) where !prefixes.contains(prefix) {
            prefixes.append(prefix)
        }

        helpers =
            [executableFolder].compactMap { $0 } + prefixes.map { "\($0)/libexec/\(project)" }
            + [environment.absolutePath("SCA_LIBEXEC")].compactMap { $0 }
        inferenceLibraries =
            [environment.absolutePath("SCA_OPENVINO")].compactMap { $0 }
            + prefixes.map { "\($0)/lib/\(project)/openvino" }
        compiledCopies = prefixes.map { "\($0)/lib/\(project)" }
        userModels = (environment.absolutePath("XDG_DATA_HOME") ?? user.map { "\($0)/share" }).map {
            "\($0)/\(project)/models"
        }
        models = [environment.absolutePath("SCA_MODELS"), userModels].compactMap { $0 }
        for folder in prefixes.map({ "\($0)/share/\(project)/models" }) where !models.contains(folder) {
            models.append(folder)
        }
        cache = (environment.absolutePath("XDG_CACHE_HOME") ?? home.map { "\($0)/.cache" }).map { "\($0)/\(project)" }
    }
}

extension [String: String] {
    /// Returns a variable's value if it is an absolute path; a relative path would depend on the working folder.
    package func absolutePath(_ name: String) -> String? {
        self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
