// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import Foundation
internal import ModelStore

/// The manifest of an imported model, from its file and the options of the command.
struct ImportPlan {
    private let description: ModelFileDescription
    private let interface: ConvertedInterface
    private let name: String
    private let outputs: [ModelManifest.Output]
    private let input: ModelInput
    /// The labels that mean sensitive content, as the person named them.
    let sensitiveWords: String

    /// - Throws: `CommandFailure` with the labels or the option that is missing.
    init(
        _ description: ModelFileDescription, _ interface: ConvertedInterface, name: String, sensitive: [String],
        crop: ModelCommand.PictureCrop, array: ModelCommand.ArrayOrder?
    ) throws {
        self.description = description
        self.interface = interface
        self.name = name
        guard interface.channelOrder == nil || array == nil else {
            throw CommandFailure.usage(
                "The input of the model is an image, which has its order of colours. Leave --array out.")
        }
        guard interface.isPicture else { throw CommandFailure(interface.explanationOfNoPicture) }
        guard let order = interface.channelOrder ?? array?.channelOrder else {
            throw CommandFailure.usage(
                "The input of the model is an array, and no image. Give the order of its colours with --array rgb or"
                    + " --array bgr.")
        }
        input = ModelInput(
            name: interface.inputName, width: interface.width, height: interface.height, layout: .channelsFirst,
            channelOrder: order, mean: [0, 0, 0], scale: [1, 1, 1],
            resize: ModelInput.Resize(
                mode: crop.mode, width: interface.width, height: interface.height, filter: .bilinear))
        guard !sensitive.isEmpty else {
            throw CommandFailure.usage(
                "Name what means sensitive content with --sensitive. \(Self.choice(description, interface))")
        }
        outputs = try sensitive.map { try Self.output($0, description, interface) }
        sensitiveWords = sensitive.map(TerminalText.printable).joined(separator: ", ")
        guard Set(outputs.map { ModelOutputPlace(name: $0.name, column: $0.column) }).count == outputs.count else {
            throw CommandFailure.usage("--sensitive names a label twice. Name each label once.")
        }
    }

    /// Returns the manifest of the ONNX file, without known answers.
    func manifest(for model: [UInt8], source: String) throws -> ModelManifest {
        func text(_ text: String, _ usual: String) -> String { text.isEmpty ? usual : text }
        let labels = description.labels.isEmpty ? nil : interface.outputs.first
        let manifest = ModelManifest(
            name: name, version: text(description.version, Self.unknownText),
            description: text(description.summary, "A \(description.kind) from a Core ML file"), file: "model.onnx",
            sha256: try InstalledModels.digest(of: model), byteCount: model.count, input: input, outputs: outputs,
            labels: labels.map { ModelManifest.Labels(output: $0.name, names: description.labels) },
            licence: text(description.licence, Self.unknownText), source: "Core ML file \(source)",
            knownFailures: ["Not measured by this project; its thresholds are those of another model."])
        guard let encoded = try? JSONEncoder().encode(manifest), encoded.count < Self.mostBytes else {
            throw CommandFailure(
                "The labels and texts of the model take more than half a MiB. Export it with shorter ones.")
        }
        return manifest
    }

    private static let mostBytes = 1 << 19
    /// The text of a member that the file does not tell.
    static let unknownText = "unknown"

    private static func output(
        _ text: String, _ description: ModelFileDescription, _ interface: ConvertedInterface
    ) throws -> ModelManifest.Output {
        var (label, type) = (text, ContentType.sexuallyExplicit)
        // A label may contain the sign itself, so a whole label comes before a label with a type.
        if !description.labels.contains(text), let place = text.lastIndex(of: "=") {
            let name = String(text[text.index(after: place)...])
            guard let named = ContentType(rawValue: name) else {
                throw CommandFailure.usage(
                    "\(TerminalText.printable(text)): \(TerminalText.printable(name)) is no type. Use"
                        + " \(ContentType.names(joinedBy: " or ")).")
            }
            (label, type) = (String(text[..<place]), named)
        }
        let place = try place(label, description, interface)
        return ModelManifest.Output(
            name: place.name, column: place.column, contentType: type,
            thresholds: Thresholds(simple: 0.7, descriptive: 0.4, strong: 0.9))
    }

    private static func place(
        _ label: String, _ description: ModelFileDescription, _ interface: ConvertedInterface
    ) throws -> ModelOutputPlace {
        let shown = TerminalText.printable(label)
        let matches = description.labels.indices.filter { description.labels[$0] == label }
        guard matches.count < 2 else {
            throw CommandFailure(
                "The label \(shown) occurs \(matches.count) times in the model. Export the model with labels that differ."
            )
        }
        if let column = matches.first { return ModelOutputPlace(name: interface.outputs[0].name, column: column) }
        if description.labels.isEmpty, let place = numbered(label, interface) { return place }
        let kind = description.labels.isEmpty ? "column" : "label"
        throw CommandFailure.usage("The model has no \(kind) \(shown). \(choice(description, interface))")
    }

    /// Returns the place that a text of the form COLUMN or OUTPUT:COLUMN names; nil if there is none.
    private static func numbered(_ text: String, _ interface: ConvertedInterface) -> ModelOutputPlace? {
        let colon = text.lastIndex(of: ":")
        let number = colon.map { text[text.index(after: $0)...] } ?? text[...]
        let outputs =
            colon.map { end in interface.outputs.filter { $0.feature == text[..<end] } }
            ?? (interface.outputs.count == 1 ? interface.outputs : [])
        guard outputs.count == 1, let column = Int(number), (0..<outputs[0].count).contains(column) else { return nil }
        return ModelOutputPlace(name: outputs[0].name, column: column)
    }

    /// Returns the values that `--sensitive` may have, in a sentence.
    private static func choice(_ description: ModelFileDescription, _ interface: ConvertedInterface) -> String {
        guard !description.labels.isEmpty || interface.outputs.count == 1 else {
            let outputs = interface.outputs.map { output in
                "\(TerminalText.printable(output.feature)) (columns 0 to \(output.count - 1))"
            }
            return "The model has several outputs and no labels; use OUTPUT:COLUMN. Its outputs are:"
                + " \(outputs.joined(separator: ", "))."
        }
        guard !description.labels.isEmpty else {
            return "The model has no labels; use the number of a column, from 0 to"
                + " \((interface.outputs.first?.count ?? 1) - 1)."
        }
        let names = description.labels.prefix(20).map(TerminalText.printable).joined(separator: ", ")
        return "Its labels are: \(names)\(description.labels.count > 20 ? ", …" : "")."
    }
}

extension ConvertedInterface {
    /// Whether the input can be a picture: an image, or an array of three channels.
    var isPicture: Bool { channelCount == 3 && height > 1 && width > 1 }

    var explanationOfNoPicture: String {
        "The input of the model is an array of \(channelCount) × \(height) × \(width), and no picture. Use a model that"
            + " takes pictures."
    }
}
