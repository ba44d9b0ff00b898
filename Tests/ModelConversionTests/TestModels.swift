// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelFormats
import SwiftProtobuf

/// Small Core ML models, made for tests.
enum TestModels {
    /// A classifier of 8 × 8 pictures with the labels NSFW and SFW, whose first score grows with the red of a picture.
    static func classifier(
        extraLayers: [CoreMLNeuralNetworkLayer] = [], _ change: (inout CoreMLNeuralNetworkClassifier) -> Void = { _ in }
    ) -> CoreMLModel {
        var network = CoreMLNeuralNetworkClassifier()
        network.preprocessing = [
            .with {
                $0.featureName = "picture"
                $0.scaler.channelScale = 1 / 255
            }
        ]
        network.layers = [
            layer("average", ["picture"], ["means"]) {
                $0.pooling.type = .average
                $0.pooling.globalPooling = true
                $0.pooling.valid = CoreMLValidPadding()
            },
            layer("product", ["means"], ["logits"]) {
                $0.innerProduct.inputChannels = 3
                $0.innerProduct.outputChannels = 2
                $0.innerProduct.weights.floatValue = [4, -2, -2, -4, 2, 2]
                $0.innerProduct.hasBias_p = true
                $0.innerProduct.bias.floatValue = [0, 0]
            },
            layer("softmax", ["logits"], ["probabilities"]) { $0.softmax = CoreMLSoftmaxLayerParams() },
        ]
        network.layers += extraLayers
        network.stringClassLabels.vector = ["NSFW", "SFW"]
        network.labelProbabilityLayerName = "probabilities"
        change(&network)
        return .with {
            $0.specificationVersion = 1
            $0.description_p = description()
            $0.neuralNetworkClassifier = network
        }
    }

    static func layer(
        _ name: String, _ inputs: [String], _ outputs: [String], _ change: (inout CoreMLNeuralNetworkLayer) -> Void
    ) -> CoreMLNeuralNetworkLayer {
        var layer = CoreMLNeuralNetworkLayer()
        layer.name = name
        layer.input = inputs
        layer.output = outputs
        change(&layer)
        return layer
    }

    /// The description of a classifier of 8 × 8 RGB pictures.
    static func description(
        _ change: (inout CoreMLModelDescription) -> Void = { _ in }
    ) -> CoreMLModelDescription {
        var description = CoreMLModelDescription()
        description.metadata.shortDescription = "A model for tests"
        description.metadata.author = "The tests"
        description.metadata.license = "Apache-2.0"
        description.input = [
            .with {
                $0.name = "picture"
                $0.type.imageType.width = 8
                $0.type.imageType.height = 8
                $0.type.imageType.colorSpace = .rgb
            }
        ]
        description.output = [
            .with {
                $0.name = "scores"
                $0.type.dictionaryType.stringKeyType = CoreMLStringFeatureType()
            },
            .with {
                $0.name = "label"
                $0.type.stringType = CoreMLStringFeatureType()
            },
        ]
        description.predictedFeatureName = "label"
        description.predictedProbabilitiesName = "scores"
        change(&description)
        return description
    }

    /// A network from an array to an array, of one layer.
    static func network(
        _ shape: [Int64], exact: Bool = false, _ change: (inout CoreMLNeuralNetworkLayer) -> Void
    ) -> CoreMLModel {
        .with {
            $0.specificationVersion = exact ? 4 : 1
            $0.description_p.input = [
                .with {
                    $0.name = "x"
                    $0.type.multiArrayType.shape = shape
                }
            ]
            $0.description_p.output = [
                .with {
                    $0.name = "y"
                    $0.type.multiArrayType.shape = []
                }
            ]
            $0.neuralNetwork.layers = [layer("layer", ["x"], ["y"], change)]
            if exact { $0.neuralNetwork.arrayInputShapeMapping = .exactArrayMapping }
        }
    }

    static func bytes(_ model: CoreMLModel) throws -> [UInt8] { try model.serializedBytes() }
}

extension TestModels {
    /// Layers from an array of 4 × 6 × 6, one of most kinds.
    static let layers: [@Sendable (inout CoreMLNeuralNetworkLayer) -> Void] = [
        {
            $0.convolution.outputChannels = 2
            $0.convolution.kernelChannels = 2
            $0.convolution.nGroups = 2
            $0.convolution.kernelSize = [3, 2]
            $0.convolution.stride = [1, 2]
            $0.convolution.same = CoreMLSamePadding()
            $0.convolution.weights.floatValue = Array(repeating: 0.5, count: 24)
        },
        {
            $0.convolution.isDeconvolution = true
            $0.convolution.outputChannels = 1
            $0.convolution.kernelChannels = 4
            $0.convolution.kernelSize = [2, 2]
            $0.convolution.valid = CoreMLValidPadding()
            $0.convolution.weights.rawValue = Data(repeating: 0xA5, count: 4)
            $0.convolution.weights.quantization.numberOfBits = 2
            $0.convolution.weights.quantization.lookupTableQuantization.floatValue = [0, 1, 2, 3]
        },
        {
            $0.pooling.type = .average
            $0.pooling.kernelSize = [3, 3]
            $0.pooling.stride = [2, 2]
            $0.pooling.includeLastPixel.paddingAmounts = [1, 1]
        },
        {
            $0.batchnorm.channels = 4
            $0.batchnorm.gamma.float16Value = Data([0, 0x3C, 0, 0x3C, 0, 0x3C, 0, 0x3C])
            $0.batchnorm.beta.floatValue = [0, 0, 0, 0]
            $0.batchnorm.mean.floatValue = [0, 0, 0, 0]
            $0.batchnorm.variance.floatValue = [1, 1, 1, 1]
        },
        {
            $0.scale.shapeScale = [4]
            $0.scale.scale.floatValue = [1, 2, 3, 4]
        },
        {
            $0.padding.reflection = CoreMLPaddingLayerParams.PaddingReflection()
            $0.padding.paddingAmounts.borderAmounts = [.with { $0.startEdgeSize = 1 }, .with { $0.endEdgeSize = 2 }]
        },
        {
            $0.crop.cropAmounts.borderAmounts = [.with { $0.startEdgeSize = 1 }, .with { $0.endEdgeSize = 2 }]
        },
        {
            $0.upsample.scalingFactor = [2, 2]
            $0.upsample.mode = .bilinear
        },
        {
            $0.reshape.targetShape = [2, 12, 6]
            $0.reshape.mode = .channelLast
        },
        { $0.permute.axis = [0, 3, 1, 2] },
        {
            $0.slice.endIndex = -1
            $0.slice.stride = 2
        },
        {
            $0.reduce.mode = .logsum
            $0.reduce.axis = .hw
        },
        {
            $0.unary.type = .rsqrt
            $0.unary.shift = 1
        },
        { $0.lrn.localSize = 3 },
        { $0.activation.scaledTanh.alpha = 2 },
    ]
}
