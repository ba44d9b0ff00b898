// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats
internal import SwiftProtobuf

extension LayerContext {
    /// Converts the layer, and returns its results in the order of its outputs.
    mutating func convert(_ layer: CoreMLNeuralNetworkLayer) throws(ConversionFailure) -> [Blob] {
        switch layer.layer {
        case .convolution(let layer)?: [try convolution(layer)]
        case .pooling(let layer)?: [try pooling(layer)]
        case .activation(let layer)?: [try activation(layer)]
        case .innerProduct(let layer)?: [try innerProduct(layer)]
        case .batchnorm(let layer)?: [try batchNormalization(layer)]
        case .mvn(let layer)?: [try meanVarianceNormalization(layer)]
        case .l2Normalize(let layer)?: [try l2Normalization(layer)]
        case .softmax?: [try softmax()]
        case .lrn(let layer)?: [try localResponseNormalization(layer)]
        case .crop(let layer)?: [try crop(layer)]
        case .padding(let layer)?: [try padding(layer)]
        case .upsample(let layer)?: [try upsample(layer)]
        case .unary(let layer)?: [try unary(layer)]
        case .add(let layer)?: [try elementwise("Add", alpha: layer.alpha)]
        case .multiply(let layer)?: [try elementwise("Mul", alpha: layer.alpha)]
        case .average?: [try average()]
        case .scale(let layer)?: [try scale(layer)]
        case .bias(let layer)?: [try bias(layer)]
        case .max?: [try elementwise("Max")]
        case .min?: [try elementwise("Min")]
        case .reduce(let layer)?: [try reduce(layer)]
        case .loadConstant(let layer)?: [try loadConstant(layer)]
        case .reshape(let layer)?: [try reshape(layer)]
        case .flatten(let layer)?: [try flatten(layer)]
        case .permute(let layer)?: [try permute(layer)]
        case .concat(let layer)?: [try concat(layer)]
        case .split(let layer)?: try split(layer)
        case .slice(let layer)?: [try slice(layer)]
        case nil: throw failure("has no kind")
        }
    }
}

extension CoreMLNeuralNetworkLayer {
    /// The name of the layer's kind in the format.
    var kindName: String {
        switch layer {
        case .convolution(let layer)?: layer.isDeconvolution ? "deconvolution" : "convolution"
        case .pooling?: "pooling"
        case .activation?: "activation"
        case .innerProduct?: "innerProduct"
        case .batchnorm?: "batchnorm"
        case .mvn?: "mvn"
        case .l2Normalize?: "l2normalize"
        case .softmax?: "softmax"
        case .lrn?: "lrn"
        case .crop?: "crop"
        case .padding?: "padding"
        case .upsample?: "upsample"
        case .unary?: "unary"
        case .add?: "add"
        case .multiply?: "multiply"
        case .average?: "average"
        case .scale?: "scale"
        case .bias?: "bias"
        case .max?: "max"
        case .min?: "min"
        case .reduce?: "reduce"
        case .loadConstant?: "loadConstant"
        case .reshape?: "reshape"
        case .flatten?: "flatten"
        case .permute?: "permute"
        case .concat?: "concat"
        case .split?: "split"
        case .slice?: "slice"
        case nil: UnknownFields.firstNumber(unknownFields.data).flatMap { UnsupportedKinds.layers[$0] } ?? "unknown"
        }
    }
}
