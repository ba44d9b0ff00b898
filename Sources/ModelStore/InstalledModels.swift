// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation
internal import Glibc
internal import Hashing

/// The installed models; of two models with one name, the model in the earlier folder counts.
package struct InstalledModels: Sendable {
    private let folders: [String]

    package init(folders: [String]) {
        self.folders = folders
    }

    /// The name of the model that is used by default.
    package static let defaultModelName = "open-nsfw"

    /// Returns the model with this name from the first folder that has it.
    ///
    /// - Throws: `invalidArgument` for an impossible name, `modelUnavailable` with the remedy.
    package func model(named name: String) throws(AnalysisFailure) -> InstalledModel {
        guard ModelManifest.isName(name) else {
            throw AnalysisFailure(
                .invalidArgument, "A model's name has 1 to 64 lower-case letters, digits and hyphens.")
        }
        if let folder = folder(ofModelNamed: name) {
            let model = try InstalledModel(folder: folder)
            guard model.manifest.name == name else {
                throw AnalysisFailure(
                    .modelUnavailable, "The folder of the model \(name) holds a model of another name.")
            }
            return model
        }
        let remedy =
            name == Self.defaultModelName
            ? "Run `make run` in the project's folder, or `scripts/bootstrap`, to install it."
            : "Run `sca model list` to see what is installed. `sca model add` adds an ONNX model, and `sca model"
                + " import` a Core ML file."
        throw AnalysisFailure(.modelUnavailable, "The model \(name) is not installed. \(remedy)")
    }

    /// Returns the first folder that has a model of this name, even if the model cannot be used.
    package func folder(ofModelNamed name: String) -> String? {
        guard ModelManifest.isName(name) else { return nil }
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.fileExists(atPath: "\($0)/manifest.json") }
    }

    /// Returns every installed model with its name, or the reason why it is unusable, in alphabetical order.
    package func models() -> [(name: String, model: Result<InstalledModel, AnalysisFailure>)] {
        var names: Set<String> = []
        for folder in folders {
            let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            names.formUnion(entries.filter(ModelManifest.isName))
        }
        return names.sorted().map { name in
            (name, Result { () throws(AnalysisFailure) in try model(named: name) })
        }
    }

    /// Copies a verified model folder into a folder of models.
    ///
    /// - Parameters:
    ///   - unfinished: gets the path of the folder that is moved to its place at the end.
    ///   - answers: loads the copy, checks its known answers, and returns them for a manifest without any.
    /// - Returns: the installed copy.
    /// - Throws: `modelUnavailable` if the model is faulty, `invalidArgument` if a model of that name exists.
    package static func add(
        folder source: String, to target: String, unfinished: (String) -> Void = { _ in },
        answers: (InstalledModel) throws -> KnownAnswers
    ) throws(AnalysisFailure) -> InstalledModel {
        let model = try InstalledModel(folder: source)
        try model.verify()
        return try add(named: model.manifest.name, to: target, unfinished: unfinished, answers: answers) { folder in
            for file in ["manifest.json", model.manifest.file] {
                try FileManager.default.copyItem(atPath: "\(source)/\(file)", toPath: "\(folder)/\(file)")
            }
        }
    }

    /// Writes a model into a folder of models.
    ///
    /// - Parameters:
    ///   - manifest: the manifest, with the hash of the file.
    ///   - file: the bytes of the ONNX file.
    ///   - unfinished: gets the path of the folder that is moved to its place at the end.
    ///   - answers: loads the copy, and returns its scores of the known drawings.
    /// - Returns: the installed copy.
    /// - Throws: `modelUnavailable` if the model is faulty, `invalidArgument` if a model of that name exists.
    @discardableResult
    package static func add(
        _ manifest: ModelManifest, file: [UInt8], to target: String, unfinished: (String) -> Void = { _ in },
        answers: (InstalledModel) throws -> KnownAnswers
    ) throws(AnalysisFailure) -> InstalledModel {
        try manifest.validate()
        return try add(named: manifest.name, to: target, unfinished: unfinished, answers: answers) { folder in
            try Data(file).write(to: URL(fileURLWithPath: "\(folder)/\(manifest.file)"))
            try write(manifest, in: folder)
        }
    }

    /// Returns the SHA-256 of a model's file for its manifest.
    package static func digest(of file: [UInt8]) throws(AnalysisFailure) -> String {
        do {
            var hash = try SHA256()
            hash.update(file)
            return try hash.digest().hexadecimal
        } catch {
            throw AnalysisFailure(.modelUnavailable, error.description, cause: error)
        }
    }

    /// - Parameter fill: puts the manifest and the model's file into a new folder.
    private static func add(
        named name: String, to target: String, unfinished note: (String) -> Void,
        answers: (InstalledModel) throws -> KnownAnswers, filling fill: (String) throws -> Void
    ) throws(AnalysisFailure) -> InstalledModel {
        let files = FileManager.default
        let destination = "\(target)/\(name)"
        let isTaken = AnalysisFailure(
            .invalidArgument,
            "A model named \(name) is installed already. Move its folder elsewhere first, which `sca model list` shows."
        )
        guard !files.fileExists(atPath: destination) else { throw isTaken }
        removeAbandonedFolders(in: target)
        // The copy has another name at first, so that no process finds an incomplete model.
        let unfinished = "\(target)/.\(name).\(UUID().uuidString)"
        note(unfinished)
        do {
            try files.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
            defer { try? files.removeItem(atPath: unfinished) }
            try fill(unfinished)
            let copy = try InstalledModel(folder: unfinished)
            try copy.verify()
            let written = try Data(contentsOf: manifestFile(in: unfinished))
            var manifest = copy.manifest
            let old = manifest.knownAnswers
            // The process of the model refuses one that does not give the answers of its manifest. A person may have
            // changed the manifest since, so the model is run without them.
            manifest.knownAnswers = nil
            try write(manifest, in: unfinished)
            let known = try answers(try InstalledModel(folder: unfinished))
            if let old, old.agree(with: known.scores) {
                try written.write(to: manifestFile(in: unfinished))
            } else {
                manifest.knownAnswers = known
                // Measurements of a model with other answers do not describe this one.
                if old != nil { manifest.operatingPoints = nil }
                try manifest.validate()
                try write(manifest, in: unfinished)
                // A network whose answers change from run to run is refused now, and not at each later start.
                if old != nil { _ = try answers(try InstalledModel(folder: unfinished)) }
            }
            try files.moveItem(atPath: unfinished, toPath: destination)
        } catch let error as AnalysisFailure {
            throw error
        } catch CocoaError.fileWriteFileExists {
            // Another call has finished a model of this name meanwhile.
            throw isTaken
        } catch {
            throw AnalysisFailure(
                .modelUnavailable, "The model could not be written: \(error.localizedDescription)", cause: error)
        }
        return try InstalledModel(folder: destination)
    }

    /// Removes the unfinished folders of calls that were killed, which are recognised by their names and age.
    private static func removeAbandonedFolders(in target: String) {
        let files = FileManager.default
        // Where another account can change the folder, a name may lead elsewhere by the time of its removal.
        let own = NSNumber(value: geteuid())
        guard let folder = try? files.attributesOfItem(atPath: target), folder[.ownerAccountID] as? NSNumber == own,
            let mode = folder[.posixPermissions] as? Int, mode & 0o022 == 0
        else { return }
        for entry in (try? files.contentsOfDirectory(atPath: target)) ?? [] {
            let parts = entry.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].isEmpty, ModelManifest.isName(String(parts[1])),
                UUID(uuidString: String(parts[2])) != nil,
                let attributes = try? files.attributesOfItem(atPath: "\(target)/\(entry)"),
                attributes[.type] as? FileAttributeType == .typeDirectory,
                attributes[.ownerAccountID] as? NSNumber == own,
                let date = attributes[.modificationDate] as? Date, date.timeIntervalSinceNow < -secondsUntilAbandoned
            else { continue }
            try? files.removeItem(atPath: "\(target)/\(entry)")
        }
    }

    /// Far longer than a model takes to be copied, converted and loaded.
    private static let secondsUntilAbandoned: Double = 3600

    private static func write(_ manifest: ModelManifest, in folder: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var data = try encoder.encode(manifest)
        if data.count > InstalledModel.maximumManifestSize {
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            data = try encoder.encode(manifest)
        }
        guard data.count <= InstalledModel.maximumManifestSize else {
            throw AnalysisFailure(
                .invalidArgument, "The manifest of the model takes more than 1 MiB. Shorten its labels and texts.")
        }
        try data.write(to: manifestFile(in: folder), options: .atomic)
    }

    private static func manifestFile(in folder: String) -> URL { URL(fileURLWithPath: "\(folder)/manifest.json") }
}
