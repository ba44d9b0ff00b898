// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// Layers that make one number of the numbers along axes.
extension LayerContext {
    mutating func reduce(_ layer: CoreMLReduceLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        let axes: [Int]
        switch layer.axis {
        case .chw: axes = [1, 2, 3]
        case .hw: axes = [2, 3]
        case .c: axes = [1]
        case .h: axes = [2]
        case .w: axes = [3]
        case .UNRECOGNIZED: throw failure("has an unknown axis")
        }
        let lengths = input.shape.lengths.enumerated().map { axes.contains($0 + 1) ? 1 : $1 }
        let shape = try BlobShape(lengths[0], lengths[1], lengths[2])
        let kept: KeyValuePairs<String, GraphBuilder.Attribute> = ["axes": .integers(axes), "keepdims": .integer(1)]
        let name: String
        switch layer.mode {
        case .sum: name = try graph.sum(input.name, over: axes)
        case .avg: name = try graph.mean(input.name, over: axes)
        case .prod: name = try graph.node("ReduceProd", [input.name], kept)
        case .logsum:
            let epsilon = try constant(layer.epsilon, usual: 1e-6, "epsilon")
            let logarithms = try graph.node("Log", [try graph.scaled(input.name, by: 1, plus: epsilon)])
            name = try graph.sum(logarithms, over: axes)
        case .sumsquare: name = try graph.node("ReduceSumSquare", [input.name], kept)
        // OpenVINO 2026.4.1 reduces all axes for ReduceL1, whatever axes the node names.
        case .l1: name = try graph.sum(try graph.node("Abs", [input.name]), over: axes)
        case .l2: name = try graph.node("ReduceL2", [input.name], kept)
        case .max: name = try graph.node("ReduceMax", [input.name], kept)
        case .min: name = try graph.node("ReduceMin", [input.name], kept)
        case .argmax:
            guard axes.count == 1 else { throw failure("has an impossible axis") }
            let index = try graph.node(
                "ArgMax", [input.name], ["axis": .integer(axes[0]), "keepdims": .integer(1)])
            name = try graph.node("Cast", [index], ["to": .integer(1)])
        case .UNRECOGNIZED: throw failure("has an unknown operation", .useONNX)
        }
        return Blob(name: name, shape: shape)
    }
}
