// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import FileAccess
internal import HelperHost

/// A Core ML file that a command names.
enum ModelFile {
    /// Reads the file in a closed process.
    ///
    /// - Throws: `CommandFailure` with the reason and the remedy.
    static func read(_ path: String) throws -> ModelImporter.Result {
        if path.hasSuffix(".mlpackage") || path.hasSuffix(".mlpackage/") || path.hasSuffix(".mlmodelc") {
            throw CommandFailure(
                "This is an ML program or a compiled model, which Apple's systems alone run. Export the original with"
                    + " coremltools' convert_to=\"neuralnetwork\" to a file .mlmodel, or as ONNX for 'sca model add'.")
        }
        do throws(AnalysisFailure) {
            let file = try OwnedDescriptor.openRegularFile(at: path)
            return try read(file)
        } catch {
            throw CommandFailure(error.message)
        }
    }

    private static func read(_ file: OwnedDescriptor) throws(AnalysisFailure) -> ModelImporter.Result {
        do {
            return try ModelImporter(folders: InstallationPaths.ofThisProcess().helpers).read(file)
        } catch let failure as AnalysisFailure {
            throw failure
        } catch {
            throw AnalysisFailure(.internalFailure, "The model could not be read.", cause: error)
        }
    }
}
