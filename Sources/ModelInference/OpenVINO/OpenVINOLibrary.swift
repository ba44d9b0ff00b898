// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import COpenVINO
internal import HelperProtocol

/// The OpenVINO library, loaded from a folder.
@safe
final class OpenVINOLibrary: Sendable {
    let functions: COpenVINO_Functions
    let version: String
    /// The folder of the library and its plug-ins.
    let folder: String

    /// - Throws: `unusable` with the remedy.
    init(folder: String, files: OpenVINOFiles) throws(ModelFailure) {
        try files.checkNames(in: folder)
        guard let entry = files.entry else { throw Self.nothing }
        self.folder = folder
        var functions = COpenVINO_Functions()
        if let reason = unsafe COpenVINO_load("\(folder)/\(entry)", &functions) {
            let words = unsafe String(cString: reason)
            throw ModelFailure(
                .unusable,
                "The OpenVINO libraries could not be loaded: \(words). Install them anew with `scripts/bootstrap`.")
        }
        self.functions = functions
        var version = unsafe ov_version_t()
        if unsafe functions.ov_get_openvino_version(&version) == 0 {
            self.version = unsafe version.buildNumber.map { unsafe String(cString: $0) } ?? "unknown"
            unsafe functions.ov_version_free(&version)
        } else {
            self.version = "unknown"
        }
    }

    /// Throws an error with the name of the action and OpenVINO's reason, if the status of a C call is not 0.
    func check(_ status: Int32, _ action: String) throws(ModelFailure) {
        guard status != 0 else { return }
        var reason = unsafe functions.ov_get_error_info(status).map { unsafe String(cString: $0) } ?? "status \(status)"
        if let message = functions.ov_get_last_err_msg() {
            let text = unsafe String(cString: message)
            unsafe functions.ov_free(message)
            if let line = text.split(separator: "\n").last { reason += ": \(line.prefix(200))" }
        }
        throw ModelFailure(.unusable, "OpenVINO could not \(action): \(reason).")
    }

    static let nothing = ModelFailure(.unusable, "OpenVINO gave no object and no error.")
}
