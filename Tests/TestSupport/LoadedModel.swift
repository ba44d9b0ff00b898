// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import AnalysisEngine
import FileAccess
package import ModelInference
package import ModelStore

/// A model that is loaded into the test's own process, for tests of its parts.
package struct LoadedModel {
    package let model: OpenVINOModel
    package let lane: InferenceLane
    package let installed: InstalledModel

    /// The default model.
    package static func installedModel() throws -> InstalledModel {
        try InstalledModels(folders: InstallationPaths.ofThisProcess().models).model(
            named: InstalledModels.defaultModelName)
    }

    /// Returns the files of a model, without a compiled copy.
    package static func source(of installed: InstalledModel) throws -> ModelSource {
        let library = try InferenceLibrary(folders: InstallationPaths.ofThisProcess().inferenceLibraries)
        let digits = installed.manifest.sha256.compactMap(\.hexDigitValue)
        return ModelSource(
            libraryFolder: library.folder, model: OwnedDescriptor(try installed.openModel()),
            modelDigest: stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) },
            modelByteCount: installed.manifest.byteCount)
    }

    /// - Parameter input: the input to use instead of the manifest's; nil for the manifest's.
    package init(
        _ source: ModelSource, _ installed: InstalledModel, input: ModelInput? = nil
    ) throws {
        let input = input ?? installed.manifest.input
        let outputs = installed.manifest.outputs.map { ModelOutputPlace(name: $0.name, column: $0.column) }
        model = try OpenVINOModel(
            source, input: input, outputs: InferenceLane.distinctNames(of: outputs), lanes: 1)
        lane = try InferenceLane(model, input: input, outputs: outputs)
        self.installed = installed
    }

    /// Loads the default model.
    package init() throws {
        let installed = try Self.installedModel()
        try self.init(try Self.source(of: installed), installed)
    }

    package func score(_ image: PixelImage) throws -> Float { try lane.scores(of: PictureView(image))[0] }

    /// Returns the scores of the drawings of `KnownAnswers`.
    package func drawings() throws -> [[Float]] {
        var scores: [[Float]] = []
        for drawing in KnownDrawing.all { scores.append(try lane.scores(of: drawing.view)) }
        return scores
    }
}
