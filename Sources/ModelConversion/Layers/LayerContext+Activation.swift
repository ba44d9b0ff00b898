// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// Functions of each number of a blob by itself.
extension LayerContext {
    mutating func activation(_ layer: CoreMLActivationParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        return Blob(name: try activated(input, layer), shape: input.shape)
    }

    private mutating func activated(_ input: Blob, _ layer: CoreMLActivationParams) throws(ConversionFailure) -> String
    {
        switch layer.nonlinearityType {
        case .linear(let line)?:
            return try graph.scaled(
                input.name, by: try finite(line.alpha, "factor"), plus: try finite(line.beta, "summand"))
        case .reLu?: return try graph.node("Relu", [input.name])
        case .leakyReLu(let leak)?:
            return try graph.node("LeakyRelu", [input.name], ["alpha": .float(try finite(leak.alpha, "factor"))])
        case .thresholdedReLu(let threshold)?:
            let least = try graph.constant([try finite(threshold.alpha, "threshold")], [])
            let isBelow = try graph.node("Less", [input.name, least])
            return try graph.node("Where", [isBelow, graph.constant([0], []), input.name])
        case .preLu(let slopes)?:
            return try graph.node("PRelu", [input.name, try channelConstant(slopes.alpha, input, "slopes")])
        case .tanh?: return try graph.node("Tanh", [input.name])
        case .scaledTanh(let scale)?:
            let inner = try graph.scaled(input.name, by: try finite(scale.beta, "factor"))
            return try graph.scaled(try graph.node("Tanh", [inner]), by: try finite(scale.alpha, "factor"))
        case .sigmoid?: return try graph.node("Sigmoid", [input.name])
        case .sigmoidHard(let line)?:
            let sum = try graph.scaled(
                input.name, by: try finite(line.alpha, "factor"), plus: try finite(line.beta, "summand"))
            // OpenVINO 2026.4.1 takes a zero in HardSigmoid for the usual value.
            return try graph.node("Clip", [sum, graph.constant([0], []), graph.constant([1], [])])
        case .elu(let unit)?:
            return try graph.node("Elu", [input.name], ["alpha": .float(try finite(unit.alpha, "factor"))])
        case .softsign?: return try graph.node("Softsign", [input.name])
        case .softplus?: return try graph.node("Softplus", [input.name])
        case .parametricSoftplus(let parameters)?:
            let inner = try graph.node("Mul", [input.name, try channelConstant(parameters.beta, input, "factors")])
            let outer = try graph.node("Softplus", [inner])
            return try graph.node("Mul", [outer, try channelConstant(parameters.alpha, input, "factors")])
        case nil: throw failure("has no kind of activation")
        }
    }

    /// Returns a constant with one number for each channel, or one for all.
    private mutating func channelConstant(
        _ parameters: CoreMLWeightParams, _ input: Blob, _ meaning: String
    ) throws(ConversionFailure) -> String {
        let isShared = input.shape.channels > 1 && parameters.floatValue.count == 1
        let count = isShared ? 1 : input.shape.channels
        return try graph.constant(try weights(parameters, count: count, meaning), [count, 1, 1])
    }

    /// Shifts and scales a blob, and applies a function.
    mutating func unary(_ layer: CoreMLUnaryFunctionLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        let epsilon = try constant(layer.epsilon, usual: 1e-6, "epsilon")
        let alpha = try finite(layer.alpha, "constant")
        let value = try graph.scaled(
            input.name, by: try constant(layer.scale, usual: 1, "scale"), plus: try finite(layer.shift, "shift"))
        let result: String
        switch layer.type {
        case .sqrt: result = try graph.node("Sqrt", [value])
        case .rsqrt:
            let root = try graph.node("Sqrt", [try graph.scaled(value, by: 1, plus: epsilon)])
            result = try graph.node("Reciprocal", [root])
        case .inverse: result = try graph.node("Reciprocal", [try graph.scaled(value, by: 1, plus: epsilon)])
        case .power: result = try graph.node("Pow", [value, graph.constant([alpha], [])])
        case .exp: result = try graph.node("Exp", [value])
        case .log: result = try graph.node("Log", [value])
        case .abs: result = try graph.node("Abs", [value])
        case .threshold: result = try graph.node("Max", [value, graph.constant([alpha], [])])
        case .UNRECOGNIZED: throw failure("has an unknown function", .useONNX)
        }
        return Blob(name: result, shape: input.shape)
    }
}
