// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
package import AnalysisEngine
internal import Glibc
internal import Hashing
internal import HelperHost
internal import HelperProtocol
internal import ModelStore

/// Everything but the content of a file that its verdict depends on.
package struct VerdictConditions: Sendable {
    let digest: SHA256Digest

    /// The revision of the analysis; raise it whenever the same file could get another verdict or another score.
    ///
    /// Programs that were built anew have other states on the disk, which are part of the conditions as well. The
    /// revision matters where a package keeps the times of its files.
    package static let revision = 5

    /// - Parameters:
    ///   - authority: the terms of the analysis; its programs, libraries and models are part of the conditions.
    ///   - modelName: the name of the model; nil for the default model.
    ///   - preset: the sampling preset.
    ///   - searchesEveryPicture: whether pictures inside a picture are searched in every picture.
    ///   - limits: the limits of the analysis.
    ///   - requiresSandbox: whether the helpers must have every layer of the sandbox.
    ///   - purpose: a word that keeps verdicts of other analyses apart.
    /// - Throws: `AnalysisFailure` if the model is not installed, `SHA256.Failure` if no digest can be computed.
    package init(
        _ authority: AnalysisAuthority, modelName: String?, preset: SamplingPreset,
        searchesEveryPicture: Bool = false, limits: AnalysisLimits,
        requiresSandbox: Bool, purpose: String
    ) throws {
        let model = try InstalledModels(folders: authority.paths.models).model(
            named: modelName ?? InstalledModels.defaultModelName)
        let programs = [HelperKind.imageDecoder, .videoDecoder, .modelRunner].compactMap {
            try? HelperLocator(name: $0.executableName, folders: authority.paths.helpers).path()
        }
        try self.init(
            values: [
                PackageVersion.current, "\(authority.policy)", "\(authority.findsTestPatterns)",
                "\(preset) \(searchesEveryPicture)", "\(limits)", "\(requiresSandbox)", purpose,
                authority.threshold.map { "\($0.value) \($0.canOnlyTighten)" } ?? "",
            ],
            files: programs + ["/proc/self/exe", model.modelPath, "\(model.folder)/manifest.json"]
                // An update of any library of the system changes the last of these files.
                + authority.paths.inferenceLibraries + ["/etc/ld.so.cache"])
    }

    /// - Parameters:
    ///   - values: the policy, the limits and other values, each as a text.
    ///   - files: the programs, libraries and model files that judge; their sizes and times are part of the conditions.
    private init(values: [String], files: [String]) throws(SHA256.Failure) {
        var hash = try SHA256()
        for text in ["verdict \(Self.revision)"] + values + files.map(Self.state) {
            let bytes = Array(text.utf8)
            // The length in front keeps two lists of values apart that read the same when they are joined.
            hash.update(Array("\(bytes.count):".utf8) + bytes)
        }
        digest = try hash.digest()
    }

    private static func state(of path: String) -> String {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return "missing" }
        let times = [status.st_mtim, status.st_ctim].map { "\($0.tv_sec).\($0.tv_nsec)" }
        return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(times)"
    }
}
