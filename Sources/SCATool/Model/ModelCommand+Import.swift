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
            abstract: "Convert a Core ML file to ONNX, and add it to the models of this user.",
            discussion: """
                The file is read in a closed process. The model is then run on two drawings, and its scores become the \
                known answers by which every later start is checked. 'sca model inspect -- FILE' shows the labels of a \
                file, and docs/models.md says what is supported.
                """)

        @Argument(
            help: ArgumentHelp("The file, which ends in .mlmodel.", valueName: "file"),
            completion: .file(extensions: ["mlmodel"]))
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

        @Flag(help: "Refuse to read the file without every layer of the sandbox; sca doctor names what is missing.")
        var requireSandbox = false

        func run() throws {
            let name = try ImportedName.of(file: file, named: name)
            let result = try ModelFile.read(file, requiresSandbox: requireSandbox)
            guard let interface = result.contents.interface else {
                throw CommandFailure(
                    "The model cannot be imported: "
                        + TerminalText.printable(
                            result.contents.description.unsupportedParts.first ?? "it is not supported."))
            }
            let plan = try ImportPlan(
                result.contents.description, interface, name: name, sensitive: sensitive, crop: crop, array: array)
            let manifest = try plan.manifest(for: result.model, source: URL(fileURLWithPath: file).lastPathComponent)
            let model = try ModelAddition.run { target throws(AnalysisFailure) in
                try InstalledModels.add(
                    manifest, file: result.model, to: target, unfinished: UnfinishedFiles.add,
                    answers: ModelProcess.answers(of:))
            }
            StandardOutput.write(
                line: "\(manifest.name) was added. Use it with: sca analyze --model \(manifest.name) -- FILE")
            StandardOutput.write(
                line:
                    "Sensitive is \(plan.sensitiveWords). The thresholds are those of another model; measure them, and"
                    + " change them in \(model.folder)/manifest.json.")
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
}
