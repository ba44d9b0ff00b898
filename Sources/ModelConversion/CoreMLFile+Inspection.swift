// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

package import AnalysisCore
internal import ModelFormats

extension CoreMLFile {
    /// Returns the description of the file, and the converted model unless a part is not supported.
    package func inspected() -> (description: ModelFileDescription, model: ConvertedModel?) {
        let metadata = model.description_p.metadata
        var description = ModelFileDescription(
            kind: Self.kind(model), specificationVersion: Int(model.specificationVersion),
            summary: Self.shortened(metadata.shortDescription), author: Self.shortened(metadata.author),
            licence: Self.shortened(metadata.license), version: Self.shortened(metadata.versionString))
        description.inputs = model.description_p.input.prefix(Self.mostFeatures).map(Self.feature)
        description.outputs = model.description_p.output.prefix(Self.mostFeatures).map(Self.feature)
        description.labels = Self.networks(model).last?.labels ?? []
        var counts: [String: Int] = [:]
        for layer in Self.networks(model).flatMap(\.layers) { counts[layer.kindName, default: 0] += 1 }
        for kind in operationKinds { counts[kind, default: 0] += 1 }
        description.layers = counts.sorted { $0.key < $1.key }.map {
            ModelFileDescription.LayerCount(kind: $0.key, count: $0.value)
        }
        description.unsupportedParts = UnknownFields.failures(in: model).map(\.message)
        guard description.unsupportedParts.isEmpty else { return (description, nil) }
        do {
            var converter = ModelConverter(weights)
            try converter.convert(model)
            description.labels = converter.labels ?? description.labels
            return (description, try converter.finish(model))
        } catch {
            description.unsupportedParts = [error.message]
            return (description, nil)
        }
    }

    /// The kinds of the operations of an ML program, without constants.
    private var operationKinds: [String] {
        guard case .mlProgram(let program)? = model.type, let block = try? ProgramConversion.main(of: program).block
        else {
            return []
        }
        return block.operations.map { Self.shortened($0.type) }.filter { $0 != "const" }
    }

    private static func networks(_ model: CoreMLModel) -> [Network] {
        switch model.type {
        case .neuralNetwork(let network)?: [Network(network)]
        case .neuralNetworkClassifier(let network)?: [Network(network)]
        case .pipeline(let pipeline)?: pipeline.models.flatMap(networks)
        case .pipelineClassifier(let classifier)?: classifier.pipeline.models.flatMap(networks)
        case .mlProgram?, nil: []
        }
    }

    private static func kind(_ model: CoreMLModel) -> String {
        switch model.type {
        case .neuralNetwork?: "neural network"
        case .neuralNetworkClassifier?: "neural network classifier"
        case .pipeline?: "pipeline"
        case .pipelineClassifier?: "pipeline classifier"
        case .mlProgram?: "ML program"
        case nil: "no neural network"
        }
    }

    private static func feature(_ feature: CoreMLFeatureDescription) -> ModelFileDescription.Feature {
        let type =
            switch feature.type.type {
            case .imageType(let image)?: "\(color(image.colorSpace)) image of \(image.width) × \(image.height)"
            case .multiArrayType(let array)?:
                array.shape.isEmpty
                    ? "array" : "array of \(array.shape.prefix(8).map(String.init).joined(separator: " × "))"
            case .dictionaryType?: "dictionary"
            case .stringType?: "text"
            case .int64Type?: "integer"
            case nil: "unsupported"
            }
        return ModelFileDescription.Feature(name: feature.name, type: type)
    }

    private static func color(_ space: CoreMLImageFeatureType.ColorSpace) -> String {
        switch space {
        case .rgb: "RGB"
        case .bgr: "BGR"
        case .grayscale: "grey"
        default: "unsupported"
        }
    }

    private static func shortened(_ text: String) -> String {
        text.utf8.count <= mostCharacters ? text : String(text.prefix(mostCharacters)) + "…"
    }

    private static let mostFeatures = 100
    private static let mostCharacters = 4000
}
