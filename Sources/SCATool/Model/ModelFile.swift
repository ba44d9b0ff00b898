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
    static func read(_ path: String, requiresSandbox: Bool) throws -> ModelImporter.Result {
        if path.hasSuffix(".mlpackage") || path.hasSuffix(".mlpackage/") || path.hasSuffix(".mlmodelc") {
            throw CommandFailure(
                "This is an ML program or a compiled model, which is not supported yet. Export the original with"
                    + " coremltools' convert_to=\"neuralnetwork\" to a file .mlmodel, or as ONNX for 'sca model add'.")
        }
        if path.lowercased().hasSuffix(".onnx") {
            throw CommandFailure.usage(
                "This is an ONNX file. Make a folder of it and a manifest.json (docs/models.md), and use 'sca model add'."
            )
        }
        do throws(AnalysisFailure) {
            let file = try OwnedDescriptor.openRegularFile(at: path)
            return try read(file, requiresSandbox)
        } catch {
            switch error.code {
            case .invalidArgument: throw CommandFailure.usage("This is a folder. Name a file that ends in .mlmodel.")
            case .inputUnreadable: throw CommandFailure.usage("The model cannot be read. \(error.message)")
            case .decoderUnavailable where error.message.contains("was not found"):
                throw CommandFailure(
                    "The program \(HelperKind.modelImporter.executableName) was not found. Build or install the command anew."
                )
            default: throw CommandFailure(error.message)
            }
        }
    }

    private static func read(
        _ file: OwnedDescriptor, _ requiresSandbox: Bool
    ) throws(AnalysisFailure) -> ModelImporter.Result {
        do {
            let folders = InstallationPaths.ofThisProcess().helpers
            return try ModelImporter(folders: folders, requiresSandbox: requiresSandbox).read(file)
        } catch let failure as AnalysisFailure {
            throw failure
        } catch {
            throw AnalysisFailure(.internalFailure, "The model could not be read.", cause: error)
        }
    }
}
