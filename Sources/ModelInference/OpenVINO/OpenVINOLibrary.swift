// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import COpenVINO
internal import Foundation
internal import Synchronization

/// The OpenVINO library, loaded from the first of the given folders that has it.
@safe
final class OpenVINOLibrary: Sendable {
    let functions: COpenVINO_Functions
    let version: String
    /// The folder of the library and its plug-ins.
    let folder: String

    /// Folders from which a library was loaded in this process, also in vain.
    private static let loadedFolders = Mutex<Set<String>>([])

    /// - Parameter isExclusive: whether the process must not have loaded the library from any other folder: parts of it
    ///   that are there already are taken for those of the same name.
    /// - Throws: `modelUnavailable` with the remedy.
    init(folders: [String], isExclusive: Bool = false) throws(AnalysisFailure) {
        if let name = OpenVINOVariables.first(in: ProcessInfo.processInfo.environment) {
            throw AnalysisFailure(
                .modelUnavailable,
                "The environment variable \(name) can change what the model computes. Start the program without it.")
        }
        guard let path = folders.lazy.compactMap(Self.library(in:)).first else {
            throw AnalysisFailure(
                .modelUnavailable,
                "The OpenVINO libraries were not found. Run `make run` in the project's folder, or `scripts/bootstrap`,"
                    + " to install them.")
        }
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        self.folder = folder
        let others = Self.loadedFolders.withLock { loaded in
            if isExclusive, !loaded.isSubset(of: folders) { return true }
            loaded.insert(folder)
            return false
        }
        guard !others else {
            throw AnalysisFailure(
                .modelUnavailable,
                "The OpenVINO libraries were loaded from another folder before. Start the app anew.")
        }
        var functions = COpenVINO_Functions()
        if let reason = unsafe COpenVINO_load(path, &functions) {
            let words = unsafe String(cString: reason)
            throw AnalysisFailure(
                .modelUnavailable,
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

    /// The library's file carries its version: libopenvino_c.so.2641 is 2026.4.1.
    private static func library(in folder: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let found = names.filter { $0 == "libopenvino_c.so" || $0.hasPrefix("libopenvino_c.so.") }
        return found.max().map { "\(folder)/\($0)" }
    }

    /// Turns a status into an error that says what OpenVINO was asked for and what it answered.
    func check(_ status: Int32, _ action: String) throws(AnalysisFailure) {
        guard status != 0 else { return }
        var reason = unsafe functions.ov_get_error_info(status).map { unsafe String(cString: $0) } ?? "status \(status)"
        if let message = functions.ov_get_last_err_msg() {
            let text = unsafe String(cString: message)
            unsafe functions.ov_free(message)
            if let line = text.split(separator: "\n").last { reason += ": \(line.prefix(300))" }
        }
        throw AnalysisFailure(.modelUnavailable, "OpenVINO could not \(action): \(reason).")
    }

    static let nothing = AnalysisFailure(.modelUnavailable, "OpenVINO gave no object and no error.")
}
