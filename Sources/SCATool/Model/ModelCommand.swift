// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
package import ArgumentParser
internal import Foundation
internal import HelperHost
internal import HelperProtocol
internal import ModelStore

package struct ModelCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "model", abstract: "List, show, verify, add, inspect, import and compile models.",
        subcommands: [List.self, Show.self, Verify.self, Add.self, Inspect.self, Import.self, Compile.self])

    package init() {}
}

extension ModelCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the installed models.")

        @Flag(name: [.short, .long], help: "Also print how well each model does, and what it gets wrong.")
        var verbose = false

        func run() throws {
            let folders = InstallationPaths.ofThisProcess().models
            let models = InstalledModels(folders: folders).models()
            guard !models.isEmpty else {
                throw CommandFailure(
                    "No model is installed. Run 'make run' in the project's folder, or 'scripts/bootstrap'.")
            }
            for (name, model) in models {
                let usable = model.flatMap { model in
                    Result { () throws(AnalysisFailure) in
                        try model.verify()
                        return model
                    }
                }
                switch usable {
                case .failure(let failure):
                    let explanation = ModelFault.explanation(of: failure, model: name, in: folders)
                    StandardOutput.write(line: "\(name)\n    not usable: \(explanation)")
                case .success(let model):
                    for line in ModelText.lines(model, isVerbose: verbose) { StandardOutput.write(line: line) }
                }
            }
        }
    }

    struct Show: ParsableCommand, CommandWithNames {
        static let configuration = CommandConfiguration(
            abstract: "Show a model: thresholds, operating points, known failures.")

        @Argument(
            help: ArgumentHelp("The model; the default model unless given.", valueName: "name"),
            completion: .installedModels)
        var name: String = InstalledModels.defaultModelName

        func run() throws {
            let folders = InstallationPaths.ofThisProcess().models
            do {
                let model = try InstalledModels(folders: folders).model(named: name)
                try model.verify()
                for line in ModelText.lines(model, isVerbose: true) { StandardOutput.write(line: line) }
            } catch {
                throw CommandFailure(
                    "\(TerminalText.printable(name)) cannot be used: \(ModelFault.explanation(of: error, model: name, in: folders))",
                    exitCode: CommandFailure.unavailableCode)
            }
        }
    }

    struct Verify: ParsableCommand, CommandWithNames {
        static let configuration = CommandConfiguration(
            abstract: "Check the files of models against the hashes in their manifests.")

        @Argument(
            help: ArgumentHelp("The models; all that are installed unless given.", valueName: "name"),
            completion: .installedModels)
        var names: [String] = []

        func run() throws {
            let store = InstalledModels(folders: InstallationPaths.ofThisProcess().models)
            let models =
                names.isEmpty
                ? store.models()
                : names.map { name in (name, Result { () throws(AnalysisFailure) in try store.model(named: name) }) }
            guard !models.isEmpty else { throw CommandFailure("No model is installed.") }
            var failed = 0
            for (name, model) in models {
                do {
                    try model.get().verify()
                    StandardOutput.write(line: "\(name): correct")
                } catch {
                    failed += 1
                    StandardOutput.write(line: "\(name): \(error.message)")
                }
            }
            if failed > 0 { throw ExitCode(1) }
        }
    }

    struct Add: ParsableCommand, CommandWithNames {
        static let configuration = CommandConfiguration(
            abstract: "Add a model to those of this user.",
            discussion: """
                The folder must hold a manifest.json and the ONNX file that it names (docs/models.md). The model is run \
                on two drawings, and its scores become the known answers by which every later start is checked.
                """)

        @Argument(help: "The folder of the model.", completion: .directory)
        var folder: String

        func run() throws {
            try Self.requireModelFolder(folder)
            // A model of the user with this name would silently take the place of the default model.
            if let model = try? InstalledModel(folder: folder), model.manifest.name == InstalledModels.defaultModelName
            {
                throw CommandFailure.usage(
                    "The name \(InstalledModels.defaultModelName) belongs to the default model. Change the name in the"
                        + " manifest.")
            }
            let model = try ModelAddition.run { target throws(AnalysisFailure) in
                try InstalledModels.add(
                    folder: folder, to: target, unfinished: UnfinishedFiles.add, answers: ModelProcess.answers(of:))
            }
            let name = model.manifest.name
            ModelAddition.warn(about: model)
            if let old = try? InstalledModel(folder: folder).manifest.knownAnswers?.scores,
                let new = model.manifest.knownAnswers?.scores, old != new
            {
                StandardError.write(
                    "Note: the model does not give the known answers of the manifest. New ones replace them: \(new) in place"
                        + " of \(old). If nobody has changed the manifest, remove \(TerminalText.printable(model.folder)): the"
                        + " file or this machine is at fault.\n")
            }
            StandardOutput.write(line: "\(name) was added. Use it with: sca analyze --model \(name) -- FILE")
        }

        private static func requireModelFolder(_ path: String) throws(CommandFailure) {
            let name = path.lowercased()
            guard ![".mlmodel", ".mlpackage", ".mlpackage/"].contains(where: name.hasSuffix) else {
                throw .usage("This is a Core ML model. Use 'sca model import', which converts it.")
            }
            guard FileManager.default.fileExists(atPath: path) else {
                throw .usage("There is no folder \(TerminalText.printable(path)). Check the path.")
            }
            guard FileManager.default.fileExists(atPath: "\(path)/manifest.json") else {
                throw .usage(
                    "The path is not a folder with a manifest.json. Put the ONNX file and a manifest.json into a folder, as"
                        + " docs/models.md says, and name the folder.")
            }
        }
    }

    struct Compile: ParsableCommand, CommandWithNames {
        static let configuration = CommandConfiguration(
            abstract: "Compile an installed model for this processor, for all accounts.",
            discussion: """
                The copy is kept below the prefix of the model, where only an administrator can write, so that every \
                account starts fast. An account under Communication Safety uses no other copy. 'sudo make install' does \
                the same.
                """)

        @Argument(
            help: ArgumentHelp("The model; the default model unless given.", valueName: "name"),
            completion: .installedModels)
        var name: String = InstalledModels.defaultModelName

        @Option(help: ArgumentHelp("The prefix of the installation.", valueName: "folder"), completion: .directory)
        var prefix: String = "/usr/local"

        func run() throws {
            do {
                StandardOutput.write(
                    line: "\(name) is compiled for this processor: \(try ModelProcess.compile(name, in: prefix))")
            } catch let failure as AnalysisFailure {
                throw CommandFailure(failure.message)
            }
        }
    }
}
