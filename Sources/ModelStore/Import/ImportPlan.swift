// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import Foundation

/// The manifest of an imported model, from the contents of its Core ML file and the choices of the person.
package struct ImportPlan: Sendable {
    private let description: ModelFileDescription
    private let interface: ConvertedInterface
    private let name: String
    private let outputs: [ModelManifest.Output]
    private let input: ModelInput
    /// The sensitive labels that usually stand for harmless pictures.
    package let harmlessLabels: [String]
    /// The thresholds of each sensitive column.
    package let thresholds: Thresholds

    /// - Parameters:
    ///   - description: the description of the file, of possible contents.
    ///   - interface: the interface of the ONNX model that was made from the file.
    ///   - name: the name of the model, such as that of `ImportedName`.
    ///   - sensitive: the columns that mean sensitive content.
    ///   - resize: how a picture is brought to the model's size.
    ///   - arrayOrder: the order of the colours if the input is an array; nil for an image.
    ///   - arrayNumbers: the numbers that an array has for a picture; nil for an image, whose file says so.
    ///   - threshold: the score from which on content is sensitive, above 0 and up to 1; nil for the usual one.
    /// - Throws: `Fault` if a choice is missing or does not fit the model.
    package init(
        _ description: ModelFileDescription, _ interface: ConvertedInterface, name: String,
        sensitive: [SensitiveColumn], resize: ModelInput.Resize.Mode, arrayOrder: ModelInput.ChannelOrder?,
        arrayNumbers: ArrayNumbers?, threshold: Float? = nil
    ) throws(Fault) {
        self.description = description
        self.interface = interface
        self.name = name
        guard interface.channelOrder == nil || arrayOrder == nil else { throw Fault.arrayOrderOfImage }
        guard interface.channelOrder == nil || arrayNumbers == nil else { throw Fault.arrayNumbersOfImage }
        guard interface.isPicture else { throw Fault.noPicture }
        guard let order = interface.channelOrder ?? arrayOrder else { throw Fault.noArrayOrder }
        guard let numbers = interface.channelOrder == nil ? arrayNumbers : .bytes else { throw Fault.noArrayNumbers }
        input = ModelInput(
            name: interface.inputName, width: interface.width, height: interface.height, layout: .channelsFirst,
            channelOrder: order, mean: numbers.mean, scale: numbers.scale,
            resize: ModelInput.Resize(
                mode: resize, width: interface.width, height: interface.height, filter: .bilinear))
        guard !sensitive.isEmpty else { throw Fault.noSensitiveColumn }
        let simple = threshold ?? Self.usualThreshold(interface)
        thresholds = Thresholds(simple: simple, descriptive: min(simple, 0.4), strong: max(simple, 0.9))
        var outputs: [ModelManifest.Output] = []
        for column in sensitive {
            let place = try Self.place(column.name, description, interface)
            outputs.append(
                ModelManifest.Output(
                    name: place.name, column: place.column, contentType: column.contentType,
                    thresholds: thresholds))
        }
        guard Set(outputs.map { ModelOutputPlace(name: $0.name, column: $0.column) }).count == outputs.count else {
            throw Fault.repeatedColumn
        }
        self.outputs = outputs
        harmlessLabels = sensitive.map(\.name).filter { Self.usualHarmlessLabels.contains($0.lowercased()) }
    }

    /// Returns the manifest of the ONNX file, without known answers.
    ///
    /// - Throws: `limitExceeded` if its texts are too long, `modelUnavailable` if the file cannot be hashed.
    package func manifest(for model: [UInt8], source: String) throws(AnalysisFailure) -> ModelManifest {
        func text(_ text: String, _ usual: String) -> String { text.isEmpty ? usual : text }
        let labels = description.labels.isEmpty ? nil : interface.outputs.first
        let manifest = ModelManifest(
            name: name, version: text(description.version, Self.unknownText),
            description: text(description.summary, "From a Core ML file of the kind \(description.kind)"),
            file: "model.onnx",
            sha256: try InstalledModels.digest(of: model), byteCount: model.count, input: input, outputs: outputs,
            labels: labels.map { ModelManifest.Labels(output: $0.name, names: description.labels) },
            licence: text(description.licence, Self.unknownText), source: "Core ML file \(source)",
            knownFailures: ["Not measured by this project; its thresholds are usual ones."])
        guard let encoded = try? JSONEncoder().encode(manifest), encoded.count < Self.mostBytes else {
            throw AnalysisFailure(
                .limitExceeded,
                "The labels and texts of the model take more than half a MiB. Export it with shorter ones.")
        }
        return manifest
    }

    private static let mostBytes = 1 << 19
    /// The text of a member that the file does not tell.
    package static let unknownText = "unknown"

    private static func place(
        _ column: String, _ description: ModelFileDescription, _ interface: ConvertedInterface
    ) throws(Fault) -> ModelOutputPlace {
        let matches = description.labels.indices.filter { description.labels[$0] == column }
        guard matches.count < 2 else { throw Fault.repeatedLabel(column, count: matches.count) }
        let labelled = matches.first.map { ModelOutputPlace(name: interface.outputs[0].name, column: $0) }
        guard let place = labelled ?? (description.labels.isEmpty ? numbered(column, interface) : nil) else {
            throw Fault.unknownColumn(column)
        }
        if let output = interface.outputs.first(where: { $0.name == place.name }), let fault = fault(of: output) {
            throw fault
        }
        return place
    }

    /// Returns the reason for which no choice can import a model; nil if one can.
    package static func fault(of interface: ConvertedInterface) -> Fault? {
        guard interface.isPicture else { return .noPicture }
        let faults = interface.outputs.compactMap(fault)
        return faults.count == interface.outputs.count ? faults.first : nil
    }

    private static func fault(of output: ConvertedInterface.Output) -> Fault? {
        if !output.isRow { return .noRow(output.feature, lengths: output.lengths) }
        return output.isUnbounded ? .noScores(output.feature) : nil
    }

    /// Labels that classifiers of sensitive pictures give to harmless ones.
    private static let usualHarmlessLabels: Set<String> = [
        "sfw", "safe", "neutral", "normal", "harmless", "benign", "clean", "drawing", "drawings", "not_nsfw",
        "non-nude", "non_nude", "nonnude",
    ]

    /// Returns the threshold of the policy simple for a model that was not measured.
    ///
    /// Of two scores with the sum 1, the larger one is the model's answer. Other models have open_nsfw's threshold.
    private static func usualThreshold(_ interface: ConvertedInterface) -> Float {
        interface.outputs.count == 1 && interface.outputs[0].count == 2 ? 0.5 : 0.7
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
}

extension ImportPlan {
    /// A column of the model's outputs that means sensitive content.
    package struct SensitiveColumn: Sendable, Hashable {
        /// The label of the column; for a model without labels its number, or OUTPUT:COLUMN with the output's name.
        package var name: String
        package var contentType: ContentType

        package init(name: String, contentType: ContentType) {
            self.name = name
            self.contentType = contentType
        }
    }

    /// The numbers of an array for a picture: a level of 0 to 255, less a mean and times a scale for each channel.
    package struct ArrayNumbers: Sendable, Hashable {
        package var mean: [Float]
        package var scale: [Float]

        package init(mean: [Float], scale: [Float]) { (self.mean, self.scale) = (mean, scale) }

        /// From 0 to 255.
        package static let bytes = ArrayNumbers(mean: [0, 0, 0], scale: [1, 1, 1])
        /// From 0 to 1.
        package static let unit = ArrayNumbers(mean: [0, 0, 0], scale: [Float](repeating: 1 / 255, count: 3))
        /// From −1 to 1.
        package static let signed = ArrayNumbers(
            mean: [127.5, 127.5, 127.5], scale: [Float](repeating: 1 / 127.5, count: 3))
    }

    /// A choice that is missing or does not fit the model.
    package enum Fault: Error, Sendable, Hashable {
        /// There is an order of an array's colours, but the input is an image.
        case arrayOrderOfImage
        /// There are numbers of an array, but the input is an image.
        case arrayNumbersOfImage
        /// The input is an array, whose numbers for a picture are not known.
        case noArrayNumbers
        /// The input is an array, whose order of colours is missing.
        case noArrayOrder
        /// The input can be no picture.
        case noPicture
        /// The output is no row of scores, but an array such as a map of heat.
        case noRow(String, lengths: [Int])
        /// The numbers of the output have no bounds.
        case noScores(String)
        case noSensitiveColumn
        /// A column is named twice.
        case repeatedColumn
        /// Several columns of the model have the label.
        case repeatedLabel(String, count: Int)
        /// The model has no column of this name.
        case unknownColumn(String)
    }
}
