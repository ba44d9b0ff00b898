// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import FileAccess
internal import Foundation
internal import HelperHost

/// A Core ML file or package that a command names.
enum ModelFile {
    /// Reads the file or package in a closed process.
    ///
    /// - Throws: `CommandFailure` with the reason and the remedy.
    static func read(_ path: String, requiresSandbox: Bool) throws -> ModelImporter.Result {
        if path.hasSuffix(".mlmodelc") || path.hasSuffix(".mlmodelc/") {
            throw CommandFailure(
                "This is a compiled model, which only Apple's systems read. Name the file .mlmodel or the package .mlpackage"
                    + " that it was made of.")
        }
        if path.lowercased().hasSuffix(".onnx") {
            throw CommandFailure.usage(
                "This is an ONNX file. Make a folder of it and a manifest.json (docs/models.md), and use 'sca model add'."
            )
        }
        do throws(AnalysisFailure) {
            return try read(path, with: importer(requiresSandbox))
        } catch {
            switch error.code {
            case .inputUnreadable: throw CommandFailure.usage("The model cannot be read. \(error.message)")
            case .decoderUnavailable where error.message.contains("was not found"):
                throw CommandFailure(
                    "The program \(HelperKind.modelImporter.executableName) was not found. Build or install the command anew."
                )
            default: throw CommandFailure(error.message)
            }
        }
    }

    private static func importer(_ requiresSandbox: Bool) -> ModelImporter {
        ModelImporter(folders: InstallationPaths.ofThisProcess().helpers, requiresSandbox: requiresSandbox)
    }

    private static func read(
        _ path: String, with importer: ModelImporter
    ) throws(AnalysisFailure) -> ModelImporter.Result {
        do {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
                return try importer.read(
                    try OwnedDescriptor.openRegularFile(at: path, remedy: "Save the model to a file, and name it."))
            }
            return try importer.read(try ModelPackage(try OwnedDescriptor.openFolder(at: path)))
        } catch let failure as AnalysisFailure {
            throw failure
        } catch {
            throw AnalysisFailure(.internalFailure, "The model could not be read.", cause: error)
        }
    }
}
