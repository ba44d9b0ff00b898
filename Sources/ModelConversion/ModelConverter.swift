// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import ModelFormats
internal import SwiftProtobuf

/// Converts a model, or the models of a pipeline.
struct ModelConverter {
    private var graph = GraphBuilder()
    /// The values by the names of features of the models.
    private var features: [String: Blob] = [:]
    private var image: ImageInput?
    private var array: BlobShape?
    private(set) var labels: [String]?
    private var probabilities: Blob?
    private let weights: WeightFile

    init(_ weights: WeightFile) {
        self.weights = weights
    }

    mutating func convert(_ model: CoreMLModel) throws(ConversionFailure) {
        switch model.type {
        case .neuralNetwork(let network)?: try convert(Network(network), model.description_p)
        case .neuralNetworkClassifier(let network)?: try convert(Network(network), model.description_p)
        case .pipeline(let pipeline)?: try convert(pipeline, model.description_p)
        case .pipelineClassifier(let classifier)?: try convert(classifier.pipeline, model.description_p)
        case .mlProgram(let program)?: try convert(program, model.description_p)
        case nil: throw ConversionFailure("The model has no kind", .exportAgain)
        }
    }

    private mutating func convert(
        _ pipeline: CoreMLPipeline, _ description: CoreMLModelDescription
    ) throws(ConversionFailure) {
        guard (1...Self.mostModels).contains(pipeline.models.count), let first = pipeline.models.first else {
            throw ConversionFailure("The pipeline has no model, or too many", .useONNX)
        }
        guard description.input.map(\.name) == first.description_p.input.map(\.name),
            description.input.map(\.type) == first.description_p.input.map(\.type)
        else { throw ConversionFailure("The pipeline has another input than its first part", .exportAgain) }
        for (place, model) in pipeline.models.enumerated() {
            switch model.type {
            case .neuralNetwork?: try convert(model)
            case .neuralNetworkClassifier? where place == pipeline.models.count - 1:
                guard description.predictedProbabilitiesName == model.description_p.predictedProbabilitiesName else {
                    throw ConversionFailure("The pipeline has other probabilities than its last part", .exportAgain)
                }
                try convert(model)
            case .neuralNetworkClassifier?:
                throw ConversionFailure("The pipeline has a classifier before its last part", .useONNX)
            default: throw ConversionFailure("The pipeline has a part that is no neural network", .useONNX)
            }
        }
    }

    private mutating func convert(
        _ network: Network, _ description: CoreMLModelDescription
    ) throws(ConversionFailure) {
        var inputs: [String: Blob] = [:]
        for feature in description.input {
            inputs[feature.name] = try input(feature, network)
        }
        let names = Set(description.input.map(\.name))
        for step in network.preprocessing where !(step.featureName.isEmpty && names.count == 1) {
            guard names.contains(step.featureName) else {
                throw ConversionFailure("The preprocessing is for an input that the model has not", .exportAgain)
            }
        }
        var conversion = NetworkConversion(graph, inputs: inputs)
        graph = GraphBuilder()
        try conversion.convert(network)
        graph = conversion.graph
        if let labels = network.labels {
            self.labels = labels
            probabilities = try Self.probabilities(network, conversion.blobs)
        }
        for feature in description.output {
            guard case .multiArrayType? = feature.type.type else { continue }
            guard let blob = conversion.blobs[feature.name] else {
                throw ConversionFailure(
                    "No layer makes the output \(ConversionFailure.quoted(feature.name))", .exportAgain)
            }
            features[feature.name] = blob
        }
    }

    private mutating func convert(
        _ program: MILProgram, _ description: CoreMLModelDescription
    ) throws(ConversionFailure) {
        let (function, block) = try ProgramConversion.main(of: program)
        guard description.input.count == 1 else {
            let names = description.input.prefix(4).map { ConversionFailure.quoted($0.name) }.joined(separator: ", ")
            throw ConversionFailure("The program has other than one input: \(names)", .exportWithOneInput)
        }
        guard let feature = description.input.first, function.inputs.count == 1,
            function.inputs[0].name == feature.name, case .tensorType(let type)? = function.inputs[0].type.type
        else { throw ConversionFailure("The program has other inputs than its description", .exportAgain) }
        guard type.dataType == .float32 || type.dataType == .float16 else {
            throw ConversionFailure("The program has an input of integers", .useONNX)
        }
        let shape = try ConstantReader.shape(type, feature.name)
        let picture = try pictureInput(feature, shape)
        var conversion = ProgramConversion(graph, weights)
        graph = GraphBuilder()
        try conversion.convert(block, inputs: [feature.name: picture])
        graph = conversion.graph
        if let classes = try Self.classes(conversion, block, description) {
            labels = classes.labels
            probabilities = Blob(name: classes.scores.name, shape: try BlobShape(classes.labels.count, 1, 1))
        }
        for feature in description.output {
            guard case .multiArrayType? = feature.type.type, block.outputs.contains(feature.name) else { continue }
            guard case .tensor(let tensor)? = conversion.values[feature.name] else {
                throw ConversionFailure(
                    "No operation makes the output \(ConversionFailure.quoted(feature.name))", .exportAgain)
            }
            features[feature.name] = Blob(name: tensor.name, shape: try Self.blobShape(tensor.shape))
        }
    }

    /// Returns the labels and scores that a program returns and its description names; nil for no classifier.
    private static func classes(
        _ conversion: ProgramConversion, _ block: MILBlock, _ description: CoreMLModelDescription
    ) throws(ConversionFailure) -> (labels: [String], scores: ProgramTensor)? {
        let name = description.predictedProbabilitiesName
        let returned = block.outputs.filter { conversion.classes[$0] != nil }
        guard
            name.isEmpty
                ? returned.isEmpty : returned == [name] && description.output.contains(where: { $0.name == name })
        else {
            throw ConversionFailure("The program returns other probabilities than its description names", .exportAgain)
        }
        return conversion.classes[name]
    }

    /// Returns the tensor of the only input of a program.
    private mutating func pictureInput(
        _ feature: CoreMLFeatureDescription, _ shape: TensorShape
    ) throws(ConversionFailure) -> ProgramTensor {
        guard !feature.type.isOptional else {
            throw ConversionFailure("The input \(ConversionFailure.quoted(feature.name)) is optional", .useONNX)
        }
        switch feature.type.type {
        case .imageType(let type)?:
            guard type.sizeFlexibility == nil else { throw Self.hasFlexibleInput }
            let image = try ImageInput(type)
            self.image = image
            graph.setInput(ConvertedModel.inputName, try BlobShape(3, image.height, image.width))
            let blob = try image.blob([], in: &graph)
            guard shape.lengths == blob.shape.dimensions else {
                throw ConversionFailure("The program has an input of another size than its image", .exportAgain)
            }
            return ProgramTensor(name: blob.name, shape: shape)
        case .multiArrayType(let type)?:
            guard type.shapeFlexibility == nil else { throw Self.hasFlexibleInput }
            guard type.shape.map({ Int(clamping: $0) }) == shape.lengths else {
                throw ConversionFailure("The program has an input of another size than its array", .exportAgain)
            }
            let blob = try Self.shape(type, isExact: shape.rank == 4)
            array = blob
            graph.setInput(ConvertedModel.inputName, blob)
            guard shape.rank != 4 else { return ProgramTensor(name: ConvertedModel.inputName, shape: shape) }
            return ProgramTensor(
                name: try graph.reshaped(ConvertedModel.inputName, to: shape.lengths), shape: shape)
        default:
            throw ConversionFailure(
                "The input \(ConversionFailure.quoted(feature.name)) is neither an image nor an array", .useONNX)
        }
    }

    /// Returns the shape of an output of a program as channels, height and width, without the dimension of its pictures.
    private static func blobShape(_ shape: TensorShape) throws(ConversionFailure) -> BlobShape {
        let lengths = shape.rank > 1 && shape.lengths[0] == 1 ? Array(shape.lengths.dropFirst()) : shape.lengths
        switch lengths.count {
        case 0, 1: return try BlobShape(lengths.first ?? 1, 1, 1)
        case 2: return try BlobShape(lengths[0], 1, lengths[1])
        default: return try BlobShape(lengths[0], lengths[1], lengths[2...].reduce(1, *))
        }
    }

    /// Returns the blob of an input feature.
    private mutating func input(
        _ feature: CoreMLFeatureDescription, _ network: Network
    ) throws(ConversionFailure) -> Blob {
        guard !feature.type.isOptional else {
            throw ConversionFailure("The input \(ConversionFailure.quoted(feature.name)) is optional", .useONNX)
        }
        let steps = network.preprocessing.filter { $0.featureName.isEmpty || $0.featureName == feature.name }
        switch feature.type.type {
        case .imageType(let type)?:
            try requireFirstInput()
            let image = try ImageInput(type)
            self.image = image
            graph.setInput(ConvertedModel.inputName, try BlobShape(3, image.height, image.width))
            return try image.blob(steps, in: &graph)
        case .multiArrayType(let type)?:
            guard steps.isEmpty else {
                throw ConversionFailure("The preprocessing is for an input that is no image", .exportAgain)
            }
            let shape = try Self.shape(type, isExact: network.hasExactArrays)
            if let blob = features[feature.name] {
                guard blob.shape.count == shape.count else {
                    throw ConversionFailure("The parts of the pipeline do not fit each other", .exportAgain)
                }
                return Blob(name: try graph.reshaped(blob.name, to: shape.dimensions), shape: shape)
            }
            try requireFirstInput()
            array = shape
            graph.setInput(ConvertedModel.inputName, shape)
            return Blob(name: ConvertedModel.inputName, shape: shape)
        default:
            throw ConversionFailure(
                "The input \(ConversionFailure.quoted(feature.name)) is neither an image nor an array", .useONNX)
        }
    }

    private func requireFirstInput() throws(ConversionFailure) {
        guard image == nil, array == nil else {
            throw ConversionFailure(
                "The model has several inputs, where one picture is all there is", .exportWithOneInput)
        }
    }

    private static func shape(_ type: CoreMLArrayFeatureType, isExact: Bool) throws(ConversionFailure) -> BlobShape {
        var lengths: [Int] = []
        for length in type.shape {
            guard (1...(1 << 24)).contains(length) else {
                throw ConversionFailure("An array has an impossible shape", .exportAgain)
            }
            lengths.append(Int(length))
        }
        if isExact {
            guard lengths.count == 4, lengths.removeFirst() == 1 else {
                throw ConversionFailure("An array has not the shape 1 × channels × height × width", .useONNX)
            }
        }
        switch lengths.count {
        case 1: return try BlobShape(lengths[0], 1, 1)
        case 3: return try BlobShape(lengths[0], lengths[1], lengths[2])
        default: throw ConversionFailure("An array has not the shape channels × height × width", .useONNX)
        }
    }

    private static func probabilities(
        _ network: Network, _ blobs: [String: Blob]
    ) throws(ConversionFailure) -> Blob {
        // Without a name, the probabilities are those of the last layer; a name is that of a value or of a layer.
        let wanted = network.probabilities
        let layer = wanted.isEmpty ? network.layers.last : network.layers.last { $0.name == wanted }
        let isValue = !wanted.isEmpty && blobs[wanted] != nil
        guard let blob = isValue ? blobs[wanted] : layer?.output.first.flatMap({ blobs[$0] }) else {
            throw ConversionFailure("No layer makes the probabilities of the labels", .exportAgain)
        }
        return blob
    }

    /// Declares the outputs, and returns the finished model.
    mutating func finish(_ model: CoreMLModel) throws(ConversionFailure) -> ConvertedModel {
        var outputs: [ConvertedInterface.Output] = []
        let nodes = GraphNodes(graph.graph)
        if let probabilities, let labels {
            guard labels.count <= ModelOutputPlace.maximumColumnCount else {
                throw ConversionFailure("The model has more than 100,000 labels", .useSmaller)
            }
            guard probabilities.shape.count == labels.count else {
                throw ConversionFailure("The model has another number of labels than of probabilities", .exportAgain)
            }
            try graph.addOutput(probabilities, named: "probabilities")
            outputs.append(
                ConvertedInterface.Output(
                    name: "probabilities", feature: model.description_p.predictedProbabilitiesName,
                    lengths: [labels.count, 1, 1], isUnbounded: Self.isUnbounded(probabilities, nodes)))
        }
        for feature in model.description_p.output where probabilities == nil {
            guard feature.type.multiArrayType.dataType != .int32 else {
                throw ConversionFailure(
                    "The output \(ConversionFailure.quoted(feature.name)) is of integers", .useONNX)
            }
            guard let blob = features[feature.name] else {
                throw ConversionFailure(
                    "The output \(ConversionFailure.quoted(feature.name)) is no array of numbers", .useONNX)
            }
            guard outputs.count < 16 else { throw ConversionFailure("The model has over 16 outputs", .useONNX) }
            let name = "output\(outputs.count)"
            try graph.addOutput(blob, named: name)
            outputs.append(
                ConvertedInterface.Output(
                    name: name, feature: feature.name, lengths: blob.shape.lengths,
                    isUnbounded: Self.isUnbounded(blob, nodes)))
        }
        guard !outputs.isEmpty else { throw ConversionFailure("The model has no output", .exportAgain) }
        if let fault = OpenVINOFaults.of(nodes, isProgram: Self.isProgram(model)) {
            throw ConversionFailure("The model has \(fault), which is not supported", .useOtherNetwork)
        }
        guard image != nil || array != nil else { throw ConversionFailure("The model has no input", .exportAgain) }
        return ConvertedModel(
            bytes: try serialized(),
            interface: ConvertedInterface(
                inputName: ConvertedModel.inputName, channelCount: array?.channels ?? 3,
                width: image?.width ?? array?.width ?? 0, height: image?.height ?? array?.height ?? 0,
                channelOrder: image?.order, outputs: outputs))
    }

    private static func isProgram(_ model: CoreMLModel) -> Bool {
        if case .mlProgram? = model.type { true } else { false }
    }

    /// Whether a value comes from a linear operation.
    private static func isUnbounded(_ blob: Blob, _ nodes: GraphNodes) -> Bool {
        nodes.comes(blob.name, from: ["MatMul", "Gemm", "Conv", "ConvTranspose"])
    }

    private func serialized() throws(ConversionFailure) -> [UInt8] {
        let model = ONNXModelProto.with { model in
            model.irVersion = 7
            model.opsetImport = [.with { $0.version = 13 }]
            model.producerName = "SensitiveContentAnalysis"
            model.graph = graph.graph
            model.graph.name = "model"
        }
        do {
            return try model.serializedBytes()
        } catch {
            throw ConversionFailure("The converted model is larger than ONNX allows", .useSmaller)
        }
    }

    private static let hasFlexibleInput = ConversionFailure("The input has no fixed size", .exportWithFixedSizes)
    private static let mostModels = 8
}
