// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import AnalysisEngine
internal import ArgumentParser
internal import Foundation
internal import HelperHost
internal import ModelStore

extension ModelCommand {
    struct Import: ParsableCommand, CommandWithNames {
        static let configuration = CommandConfiguration(
            abstract: "Convert a Core ML model to ONNX, and add it to the models of this user.",
            discussion: """
                The file is read in a closed process. The model is then run on two drawings, and its scores become the \
                known answers by which every later start is checked. 'sca model inspect -- FILE' shows the labels of a \
                file, and docs/models.md says what is supported.
                """)

        @Argument(
            help: ArgumentHelp("The file .mlmodel, or the folder .mlpackage.", valueName: "file"),
            completion: .file(extensions: ["mlmodel", "mlpackage"]))
        var file: String

        @Option(help: "The name of the model; by default, that of the file in lower-case letters.")
        var name: String?

        @Option(
            help: ArgumentHelp(
                "A label that means sensitive content, of the type sexuallyExplicit (the default) or goreOrViolence. For a model without labels, the number of a column, or OUTPUT:COLUMN if it has several outputs.",
                valueName: "label[=type]"))
        var sensitive: [String] = []

        @Option(
            help: ArgumentHelp(
                "How a picture is brought to the model's size: scaleToFill, centerCrop or scaleToFit.",
                valueName: "mode"))
        var crop: PictureCrop = .scaleToFill

        @Option(help: "The order of the colours if the input is an array of 3 × height × width: rgb or bgr.")
        var array: ArrayOrder?

        @Option(
            help:
                "The numbers from black to white if the input is an array: bytes (0 to 255), unit (0 to 1) or signed (-1 to 1)."
        )
        var range: ArrayRange?

        @Option(
            help: ArgumentHelp(
                "In place of --range: the three numbers that are subtracted from levels of 0 to 255, in the order of the colours.",
                valueName: "a,b,c"))
        var mean: NumberTriple?

        @Option(
            help: ArgumentHelp(
                "The three factors by which the differences are multiplied; by default 1.", valueName: "a,b,c"))
        var scale: NumberTriple?

        @Option(
            help: ArgumentHelp(
                """
                The score from which on content is sensitive, above 0 and up to 1; by default 0.5 for a model of two \
                scores, and 0.7 for others. The policy descriptive has 0.4, or this score if it is lower.
                """,
                valueName: "score"))
        var threshold: Float?

        @Flag(help: "Refuse to read the file without every layer of the sandbox; sca doctor names what is missing.")
        var requireSandbox = false

        func validate() throws {
            try ArgumentCheck.checkThreshold(threshold)
            guard range == nil || (mean == nil && scale == nil) else {
                throw ValidationError("--range and --mean or --scale exclude each other. Use one of them.")
            }
        }

        /// The numbers of an array; nil if the person has said nothing about them.
        private var arrayNumbers: ImportPlan.ArrayNumbers? {
            if let range { return range.numbers }
            guard mean != nil || scale != nil else { return nil }
            return ImportPlan.ArrayNumbers(mean: mean?.values ?? [0, 0, 0], scale: scale?.values ?? [1, 1, 1])
        }

        func run() throws {
            let name = try modelName()
            let result = try ModelFile.read(file, requiresSandbox: requireSandbox)
            guard let interface = result.contents.interface else {
                throw CommandFailure(
                    "The model cannot be imported: "
                        + TerminalText.printable(
                            result.contents.description.unsupportedParts.first ?? "it is not supported."))
            }
            let manifest = try manifest(name, result, interface)
            let model = try ModelAddition.run { target throws(AnalysisFailure) in
                try InstalledModels.add(
                    manifest, file: result.model, to: target, unfinished: UnfinishedFiles.add,
                    answers: ModelProcess.answers(of:))
            }
            ModelAddition.warn(about: model)
            let thresholds = manifest.outputs[0].thresholds
            let words = sensitive.map(TerminalText.printable).joined(separator: ", ")
            StandardOutput.write(
                line: "\(manifest.name) was added. Use it with: sca analyze --model \(manifest.name) -- FILE")
            StandardOutput.write(
                line:
                    "Sensitive is \(words), from a score of \(thresholds.simple) on, and of \(thresholds.descriptive) on under"
                    + " the policy descriptive. These thresholds are not measured: sca evaluate --model \(manifest.name)"
                    + " measures them on your files. Change them in \(model.folder)/manifest.json.")
        }

        private func modelName() throws(CommandFailure) -> String {
            let models = InstalledModels(folders: InstallationPaths.ofThisProcess().models)
            do throws(ImportedName.Fault) {
                return try ImportedName.of(file: file, named: name, among: models)
            } catch {
                throw error.commandFailure
            }
        }

        private func manifest(
            _ name: String, _ result: ModelImporter.Result, _ interface: ConvertedInterface
        ) throws(CommandFailure) -> ModelManifest {
            let plan = try plan(name, result.contents.description, interface)
            for label in plan.harmlessLabels {
                StandardError.write(
                    "Warning: the label \(TerminalText.printable(label)) usually stands for harmless pictures, and is"
                        + " sensitive now. If that is wrong, remove the model and import it with another --sensitive.\n"
                )
            }
            do throws(AnalysisFailure) {
                return try plan.manifest(for: result.model, source: URL(fileURLWithPath: file).lastPathComponent)
            } catch {
                throw CommandFailure(error.message)
            }
        }

        private func plan(
            _ name: String, _ description: ModelFileDescription, _ interface: ConvertedInterface
        ) throws(CommandFailure) -> ImportPlan {
            var columns: [ImportPlan.SensitiveColumn] = []
            for text in sensitive { columns.append(try Self.column(text, description.labels)) }
            do throws(ImportPlan.Fault) {
                return try ImportPlan(
                    description, interface, name: name, sensitive: columns, resize: crop.mode,
                    arrayOrder: array?.channelOrder, arrayNumbers: arrayNumbers, threshold: threshold)
            } catch {
                throw error.commandFailure(description, interface)
            }
        }

        /// Returns the column that a text of the form LABEL or LABEL=TYPE names.
        private static func column(
            _ text: String, _ labels: [String]
        ) throws(CommandFailure) -> ImportPlan.SensitiveColumn {
            // A label may contain the sign itself, so a whole label comes before a label with a type.
            guard !labels.contains(text), let place = text.lastIndex(of: "=") else {
                return ImportPlan.SensitiveColumn(name: text, contentType: .sexuallyExplicit)
            }
            let name = String(text[text.index(after: place)...])
            guard let type = ContentType(rawValue: name) else {
                throw CommandFailure.usage(
                    "\(TerminalText.printable(text)): \(TerminalText.printable(name)) is no type. Use"
                        + " \(ContentType.names(joinedBy: " or ")).")
            }
            return ImportPlan.SensitiveColumn(name: String(text[..<place]), contentType: type)
        }
    }

    /// The ways of Vision to bring a picture to the size of a model.
    enum PictureCrop: String, ExpressibleByArgument, CaseIterable {
        case scaleToFill, centerCrop, scaleToFit

        var mode: ModelInput.Resize.Mode {
            switch self {
            case .scaleToFill: .stretch
            case .centerCrop: .centerCrop
            case .scaleToFit: .fit
            }
        }
    }

    enum ArrayOrder: String, ExpressibleByArgument, CaseIterable {
        case rgb, bgr

        var channelOrder: ModelInput.ChannelOrder { self == .rgb ? .rgb : .bgr }
    }

    /// The usual numbers of arrays.
    enum ArrayRange: String, ExpressibleByArgument, CaseIterable {
        case bytes, unit, signed

        var numbers: ImportPlan.ArrayNumbers {
            switch self {
            case .bytes: .bytes
            case .unit: .unit
            case .signed: .signed
            }
        }
    }

    /// Three numbers with commas between them, one for each channel.
    struct NumberTriple: ExpressibleByArgument {
        let values: [Float]

        init?(argument: String) {
            let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Float($0) }
            values = numbers.compactMap { $0 }
            guard numbers.count == 3, values.count == 3, values.allSatisfy({ $0.isFinite && abs($0) <= 1e6 }) else {
                return nil
            }
        }
    }
}
