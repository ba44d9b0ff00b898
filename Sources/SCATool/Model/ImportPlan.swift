// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ModelStore

/// The manifest of an imported model, from its file and the options of the command.
struct ImportPlan {
    private let description: ModelFileDescription
    private let interface: ConvertedInterface
    private let name: String
    private let outputs: [ModelManifest.Output]
    private let input: ModelInput

    /// - Throws: `CommandFailure` with the labels or the option that is missing.
    init(
        _ description: ModelFileDescription, _ interface: ConvertedInterface, name: String, sensitive: [String],
        crop: ModelCommand.PictureCrop, array: ModelCommand.ArrayOrder?
    ) throws {
        self.description = description
        self.interface = interface
        self.name = name
        guard let order = interface.channelOrder ?? array?.channelOrder else {
            throw CommandFailure(
                "The input of the model is an array, and no image. Give the order of its colours with --array rgb or"
                    + " --array bgr.")
        }
        guard interface.channelCount == 3, interface.height > 1, interface.width > 1 else {
            throw CommandFailure(
                "The input of the model is an array of \(interface.channelCount) × \(interface.height) ×"
                    + " \(interface.width), and no picture. Use a model that takes pictures.")
        }
        input = ModelInput(
            name: interface.inputName, width: interface.width, height: interface.height, layout: .channelsFirst,
            channelOrder: order, mean: [0, 0, 0], scale: [1, 1, 1],
            resize: ModelInput.Resize(
                mode: crop.mode, width: interface.width, height: interface.height, filter: .bilinear))
        guard !sensitive.isEmpty else { throw Self.missingLabels(description, interface) }
        outputs = try sensitive.map { try Self.output($0, description, interface) }
    }

    /// Returns the manifest of the ONNX file, without known answers.
    func manifest(for model: [UInt8], source: String) throws -> ModelManifest {
        func text(_ text: String, _ usual: String) -> String { text.isEmpty ? usual : text }
        let labels = description.labels.isEmpty ? nil : interface.outputs.first
        return ModelManifest(
            name: name, version: text(description.version, "unknown"),
            description: text(description.summary, "A \(description.kind) from a Core ML file"), file: "model.onnx",
            sha256: try ModelStore.digest(of: model), byteCount: model.count, input: input, outputs: outputs,
            labels: labels.map { ModelManifest.Labels(output: $0.name, names: description.labels) },
            licence: text(description.licence, "unknown"), source: "Core ML file \(source)",
            knownFailures: ["Not measured by this project; its thresholds are those of another model."])
    }

    private static func output(
        _ text: String, _ description: ModelFileDescription, _ interface: ConvertedInterface
    ) throws -> ModelManifest.Output {
        var (label, type) = (text, ContentType.sexuallyExplicit)
        if let place = text.lastIndex(of: "="),
            let named = ContentType(rawValue: String(text[text.index(after: place)...]))
        {
            (label, type) = (String(text[..<place]), named)
        }
        let thresholds = Thresholds(simple: 0.7, descriptive: 0.4, strong: 0.9)
        let matches = description.labels.indices.filter { description.labels[$0] == label }
        if matches.count == 1, let output = interface.outputs.first {
            return ModelManifest.Output(
                name: output.name, column: matches[0], contentType: type, thresholds: thresholds)
        }
        if description.labels.isEmpty, let column = Int(label), let output = interface.outputs.first,
            (0..<output.count).contains(column)
        {
            return ModelManifest.Output(name: output.name, column: column, contentType: type, thresholds: thresholds)
        }
        throw missingLabels(description, interface)
    }

    private static func missingLabels(
        _ description: ModelFileDescription, _ interface: ConvertedInterface
    ) -> CommandFailure {
        guard description.labels.isEmpty else {
            let names = description.labels.prefix(20).map(TerminalText.printable).joined(separator: ", ")
            return CommandFailure(
                "Name the labels that mean sensitive content with --sensitive. The labels of the model are: \(names).")
        }
        return CommandFailure(
            "The model has no labels. Give the number of the column that means sensitive content with --sensitive, from 0 to"
                + " \((interface.outputs.first?.count ?? 1) - 1).")
    }
}
