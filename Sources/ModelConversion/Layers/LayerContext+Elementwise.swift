// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// Arithmetic between blobs, and with constants.
extension LayerContext {
    /// Joins blobs number by number, in the limited broadcasting of the format.
    ///
    /// - Parameter alpha: the second operand of a layer with one input.
    mutating func elementwise(_ type: String, alpha: Float? = nil) throws(ConversionFailure) -> Blob {
        if let alpha, inputs.count == 1 {
            let constant = try graph.constant([try finite(alpha, "constant")], [])
            return Blob(name: try graph.node(type, [inputs[0].name, constant]), shape: inputs[0].shape)
        }
        guard inputs.count >= 2 else { throw failure("needs several inputs and has \(inputs.count)") }
        var result = inputs[0]
        for next in inputs.dropFirst() {
            var lengths: [Int] = []
            for (one, other) in zip(result.shape.lengths, next.shape.lengths) {
                guard one == other || one == 1 || other == 1 else { throw failure("has inputs of different shapes") }
                lengths.append(max(one, other))
            }
            let shape = try BlobShape(lengths[0], lengths[1], lengths[2])
            result = Blob(name: try graph.node(type, [result.name, next.name]), shape: shape)
        }
        return result
    }

    mutating func average() throws(ConversionFailure) -> Blob {
        let sum = try elementwise("Add")
        return Blob(name: try graph.scaled(sum.name, by: 1 / Float(inputs.count)), shape: sum.shape)
    }

    mutating func scale(_ layer: CoreMLScaleLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        let factor = try broadcastConstant(layer.scale, layer.shapeScale, input, "factors")
        var name = try graph.node("Mul", [input.name, factor])
        if layer.hasBias_p {
            name = try graph.node("Add", [name, try broadcastConstant(layer.bias, layer.shapeBias, input, "biases")])
        }
        return Blob(name: name, shape: input.shape)
    }

    mutating func bias(_ layer: CoreMLBiasLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        let bias = try broadcastConstant(layer.bias, layer.shape, input, "biases")
        return Blob(name: try graph.node("Add", [input.name, bias]), shape: input.shape)
    }

    /// Returns a constant of the shape [1], [C], [1, H, W] or [C, H, W].
    private mutating func broadcastConstant(
        _ parameters: CoreMLWeightParams, _ shape: [UInt64], _ input: Blob, _ meaning: String
    ) throws(ConversionFailure) -> String {
        guard shape.count == 1 || shape.count == 3 else { throw failure("has \(meaning) of an impossible shape") }
        var lengths: [Int] = []
        for length in shape { lengths.append(try count(length, "shape")) }
        if lengths.count == 1 { lengths += [1, 1] }
        guard zip(lengths, input.shape.lengths).allSatisfy({ $0 == 1 || $0 == $1 }) else {
            throw failure("has \(meaning) of another shape than its input")
        }
        let values = try weights(
            parameters, count: lengths[0] * lengths[1] * lengths[2], channelCount: lengths[0], meaning)
        return try graph.constant(values, lengths)
    }

    mutating func loadConstant(_ layer: CoreMLLoadConstantLayerParams) throws(ConversionFailure) -> Blob {
        guard inputs.isEmpty, layer.shape.count == 3 else { throw failure("has a constant of an impossible shape") }
        let shape = try BlobShape(
            try count(layer.shape[0], "shape"), try count(layer.shape[1], "shape"), try count(layer.shape[2], "shape"))
        let values = try weights(layer.data, count: shape.count, "numbers")
        return Blob(name: try graph.constant(values, shape.dimensions), shape: shape)
    }
}
