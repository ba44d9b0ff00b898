// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import ModelFormats

/// Layers that divide by a measure of the blob's own numbers, or of the numbers in training.
extension LayerContext {
    mutating func batchNormalization(_ layer: CoreMLBatchnormLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        let channels = try count(layer.channels, "number of channels")
        guard channels == input.shape.channels else {
            throw failure("has numbers for another number of channels than its input")
        }
        let epsilon = try constant(layer.epsilon, usual: 1e-5, "epsilon")
        let gamma = try graph.constant(try weights(layer.gamma, count: channels, "factors"), [channels])
        let beta = try graph.constant(try weights(layer.beta, count: channels, "summands"), [channels])
        // A batch has one picture, so its statistics are those of the instance.
        if layer.computeMeanVar {
            let name = try graph.node(
                "InstanceNormalization", [input.name, gamma, beta], ["epsilon": .float(epsilon)])
            return Blob(name: name, shape: input.shape)
        }
        let mean = try graph.constant(try weights(layer.mean, count: channels, "means"), [channels])
        let variances = try weights(layer.variance, count: channels, "variances")
        guard epsilon >= 0, variances.allSatisfy({ $0 + epsilon > 0 }) else {
            throw failure("has a negative variance or epsilon")
        }
        let variance = try graph.constant(variances, [channels])
        let name = try graph.node(
            "BatchNormalization", [input.name, gamma, beta, mean, variance], ["epsilon": .float(epsilon)])
        return Blob(name: name, shape: input.shape)
    }

    mutating func meanVarianceNormalization(
        _ layer: CoreMLMeanVarianceNormalizeLayerParams
    ) throws(ConversionFailure) -> Blob {
        let input = try self.input
        let axes = layer.acrossChannels ? [1, 2, 3] : [2, 3]
        var result = try graph.node("Sub", [input.name, try graph.mean(input.name, over: axes)])
        if layer.normalizeVariance {
            let epsilon = try constant(layer.epsilon, usual: 1e-6, "epsilon")
            let variance = try graph.mean(try graph.node("Mul", [result, result]), over: axes)
            let deviation = try graph.node("Sqrt", [try graph.scaled(variance, by: 1, plus: epsilon)])
            result = try graph.node("Div", [result, deviation])
        }
        return Blob(name: result, shape: input.shape)
    }

    mutating func l2Normalization(_ layer: CoreMLL2NormalizeLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        let epsilon = try constant(layer.epsilon, usual: 1e-6, "epsilon")
        let squares = try graph.sum(try graph.node("Mul", [input.name, input.name]), over: [1, 2, 3])
        let norm = try graph.node("Sqrt", [try graph.scaled(squares, by: 1, plus: epsilon)])
        return Blob(name: try graph.node("Div", [input.name, norm]), shape: input.shape)
    }

    mutating func localResponseNormalization(_ layer: CoreMLLRNLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        let size = try count(layer.localSize, "window of channels")
        guard !size.isMultiple(of: 2) else {
            throw failure("normalises over an even number of channels, which is not supported", .useONNX)
        }
        let (alpha, beta) = (try finite(layer.alpha, "factor"), try finite(layer.beta, "exponent"))
        let summand = try constant(layer.k, usual: 1, "summand")
        // OpenVINO 2026.4.1 rounds the summand down to a whole number, so it becomes 1 here.
        let factor = Float(pow(Double(summand), -Double(beta)))
        guard alpha >= 0, beta > 0, summand > 0, factor.isFinite, factor > 0, (alpha / summand).isFinite else {
            throw failure("normalises with a factor or an exponent that is not supported", .useONNX)
        }
        let name = try graph.node(
            "LRN", [input.name],
            ["alpha": .float(alpha / summand), "beta": .float(beta), "bias": .float(1), "size": .integer(size)])
        return Blob(name: try graph.scaled(name, by: factor), shape: input.shape)
    }

    mutating func softmax() throws(ConversionFailure) -> Blob {
        let input = try self.input
        return Blob(name: try graph.node("Softmax", [input.name], ["axis": .integer(1)]), shape: input.shape)
    }
}
