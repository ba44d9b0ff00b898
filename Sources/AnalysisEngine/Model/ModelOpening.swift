// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import CompiledModels
internal import FileAccess
internal import Glibc
package import HelperHost
internal import HelperProtocol
package import ModelStore
internal import SensitivityPolicy

/// Selects and opens the files that the model's process loads.
package struct ModelOpening: Sendable {
    private let paths: InstallationPaths
    /// Whether files that the account can write take no part in an analysis.
    private let isExclusive: Bool

    package init(paths: InstallationPaths, isExclusive: Bool) {
        self.paths = paths
        self.isExclusive = isExclusive
    }

    /// Opens the files of a model.
    ///
    /// - Parameters:
    ///   - findsAnswers: whether the model's process computes the scores of the drawings instead of checking them.
    ///   - keepRoot: the folder below which a compiled copy is stored; the user's cache by default.
    /// - Throws: `modelUnavailable` with the remedy.
    package func parts(
        of model: InstalledModel, laneCount: Int, findsAnswers: Bool = false, keepRoot: String? = nil
    ) throws(AnalysisFailure) -> ModelParts {
        let manifest = model.manifest
        guard findsAnswers || manifest.knownAnswers != nil else {
            throw AnalysisFailure(
                .modelUnavailable,
                "The manifest of the model \(manifest.name) has no known answers, by which its process is checked. Add the"
                    + " model with `sca model add`, which writes them.")
        }
        let library = try InferenceLibrary(folders: paths.inferenceLibraries)
        let setup = ModelSetup(
            libraryFolder: library.folder, modelDigest: Self.bytes(ofHexadecimal: manifest.sha256),
            modelByteCount: UInt64(manifest.byteCount), input: manifest.input,
            outputs: manifest.outputs.map { ModelOutputPlace(name: $0.name, column: $0.column) },
            labels: manifest.labels.map { ModelSetup.Labels(output: $0.output, count: $0.names.count) },
            knownAnswers: findsAnswers ? nil : manifest.knownAnswers, laneCount: UInt8(clamping: laneCount))
        guard setup.isCarried else {
            throw AnalysisFailure(
                .modelUnavailable,
                "The folder of OpenVINO, or a name in the manifest, is too long or has other characters than printable"
                    + " ASCII. Install OpenVINO in another folder, or rename the tensors.")
        }
        let state = try model.state(with: library)
        var keep: (@Sendable (OwnedDescriptor, Int) -> Void)?
        if let root = keepRoot ?? paths.cache, let cache = model.compiledCopy(below: root) {
            keep = { memory, byteCount in
                cache.store(memory.number, byteCount: byteCount, state: state)
            }
        }
        return ModelParts(
            setup: setup, model: OwnedDescriptor(try model.openModel()), compiledCopy: copy(of: model, state),
            keep: keep)
    }

    /// Returns the path of the compiled copy that fits the model, library and processor, and whether it is installed.
    package func copy(of model: InstalledModel) -> (path: String, isInstalled: Bool)? {
        guard let library = try? InferenceLibrary(folders: paths.inferenceLibraries),
            let state = try? model.state(with: library), let found = foundCopy(of: model, state)
        else { return nil }
        return (found.path, found.isInstalled)
    }

    private func copy(of model: InstalledModel, _ state: [UInt8]) -> ModelParts.CompiledCopy? {
        foundCopy(of: model, state).map { ModelParts.CompiledCopy(file: $0.file, state: state) }
    }

    /// Returns the first compiled copy that was made from the current files: an installed copy, or the user's own.
    private func foundCopy(
        of model: InstalledModel, _ state: [UInt8]
    ) -> (path: String, isInstalled: Bool, file: OwnedDescriptor)? {
        for root in paths.compiledCopies + [paths.cache].compactMap({ $0 }) {
            guard let cache = model.compiledCopy(below: root),
                !isExclusive || AdministratorOwned.holds(cache.file)
            else { continue }
            // A compiled copy of the model counts if root or this user owns it; root's copy serves all users.
            for owner in Set([0, geteuid()]) {
                if let file = cache.open(state: state, owner: owner) {
                    return (cache.file, paths.compiledCopies.contains(root), OwnedDescriptor(file))
                }
            }
        }
        return nil
    }

    private static func bytes(ofHexadecimal text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }
}
