// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// The parts of a neural network that both kinds of networks have.
struct Network {
    let layers: [CoreMLNeuralNetworkLayer]
    let preprocessing: [CoreMLNeuralNetworkPreprocessing]
    /// Whether arrays have the shape that the file states, instead of sequence × batch × channels × height × width.
    let hasExactArrays: Bool
    /// Whether images have four dimensions instead of five.
    let hasExactImages: Bool
    /// The labels of a classifier, in the file's order; nil for another network.
    let labels: [String]?
    /// The blob or layer with the probabilities of a classifier; empty for the last layer.
    let probabilities: String

    init(_ network: CoreMLNeuralNetwork) {
        layers = network.layers
        preprocessing = network.preprocessing
        hasExactArrays = network.arrayInputShapeMapping != .rank5ArrayMapping
        hasExactImages = network.imageInputShapeMapping != .rank5ImageMapping
        hasKnownShapes = Self.areKnown(network.arrayInputShapeMapping, network.imageInputShapeMapping)
        labels = nil
        probabilities = ""
    }

    init(_ network: CoreMLNeuralNetworkClassifier) {
        layers = network.layers
        preprocessing = network.preprocessing
        hasExactArrays = network.arrayInputShapeMapping != .rank5ArrayMapping
        hasExactImages = network.imageInputShapeMapping != .rank5ImageMapping
        hasKnownShapes = Self.areKnown(network.arrayInputShapeMapping, network.imageInputShapeMapping)
        labels =
            switch network.classLabels {
            case .stringClassLabels(let labels)?: labels.vector
            case .int64ClassLabels(let labels)?: labels.vector.map(String.init)
            case nil: []
            }
        probabilities = network.labelProbabilityLayerName
    }

    /// Whether the file says how shapes are meant in a way that is known.
    let hasKnownShapes: Bool

    /// Whether layers get arrays without the dimensions for sequences and batches.
    var isExact: Bool { hasExactArrays || hasExactImages }

    private static func areKnown(
        _ arrays: CoreMLNeuralNetworkMultiArrayShapeMapping, _ images: CoreMLNeuralNetworkImageShapeMapping
    ) -> Bool {
        [.rank5ArrayMapping, .exactArrayMapping].contains(arrays)
            && [.rank5ImageMapping, .rank4ImageMapping].contains(images)
    }
}

/// The conversion of the layers of a network, one after the other.
struct NetworkConversion {
    var graph: GraphBuilder
    /// The values by their names in the file.
    private(set) var blobs: [String: Blob]
    /// The sum of the counts of all values.
    private var numberCount = 0

    /// Converts the layers in the file's order, in which each layer follows those that it needs.
    mutating func convert(_ network: Network) throws(ConversionFailure) {
        guard network.layers.count <= Self.mostLayers else {
            throw ConversionFailure("The model has more than \(Self.mostLayers) layers", .useSmaller)
        }
        guard network.hasKnownShapes else {
            throw ConversionFailure("The model has an unknown mapping of its shapes", .useONNX)
        }
        for layer in network.layers {
            var inputs: [Blob] = []
            for name in layer.input {
                guard let blob = blobs[name] else {
                    throw ConversionFailure(
                        "The layer \(ConversionFailure.quoted(layer.name)) needs a value that no earlier layer makes",
                        .exportAgain)
                }
                inputs.append(blob)
            }
            var context = LayerContext(
                name: layer.name, inputs: inputs, outputCount: layer.output.count, graph: graph)
            // Without a second owner, the graph grows in place.
            graph = GraphBuilder()
            if network.isExact, Self.isOfFiveDimensions(layer) {
                throw context.failure("needs five dimensions, and the model has exact shapes", .useONNX)
            }
            let results = try context.convert(layer)
            graph = context.graph
            numberCount += results.reduce(0) { $0 + $1.shape.count }
            guard numberCount <= Self.mostNumbers else {
                throw ConversionFailure("The layers have more than 256 million results for a picture", .useSmaller)
            }
            guard results.count == layer.output.count else {
                throw context.failure("has \(layer.output.count) outputs where \(results.count) are needed")
            }
            for (name, blob) in zip(layer.output, results) {
                guard blobs.updateValue(blob, forKey: name) == nil else {
                    throw context.failure("makes a value that an earlier layer makes")
                }
            }
        }
    }

    private static let mostLayers = 20_000
    private static let mostNumbers = 1 << 28

    private static func isOfFiveDimensions(_ layer: CoreMLNeuralNetworkLayer) -> Bool {
        switch layer.layer {
        case .reshape?, .permute?, .loadConstant?: true
        default: false
        }
    }
}

extension NetworkConversion {
    init(_ graph: GraphBuilder, inputs: [String: Blob]) {
        self.graph = graph
        blobs = inputs
    }
}
