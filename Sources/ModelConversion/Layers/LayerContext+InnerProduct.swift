// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// Fully connected layers.
extension LayerContext {
    mutating func innerProduct(_ layer: CoreMLInnerProductLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        guard !layer.int8DynamicQuantize else { throw failure("computes in 8 bits, which is not supported", .useONNX) }
        let outputCount = try count(layer.outputChannels, "number of results")
        let inputCount = input.shape.count
        guard try count(layer.inputChannels, "number of channels") == inputCount else {
            throw failure("has weights for another number of channels than its input")
        }
        let (weightCount, isTooLarge) = inputCount.multipliedReportingOverflow(by: outputCount)
        guard !isTooLarge else { throw failure("has an impossible number of weights") }
        let weights = try self.weights(layer.weights, count: weightCount, channelCount: outputCount, "weights")
        let flat = try graph.reshaped(input.name, to: [1, inputCount])
        var operands = [flat, try graph.constant(weights, [outputCount, inputCount])]
        if layer.hasBias_p {
            operands.append(
                try graph.constant(try self.weights(layer.bias, count: outputCount, "biases"), [outputCount]))
        }
        let product = try graph.node("Gemm", operands, ["transB": .integer(1)])
        let shape = try BlobShape(outputCount, 1, 1)
        return Blob(name: try graph.reshaped(product, to: shape.dimensions), shape: shape)
    }
}
