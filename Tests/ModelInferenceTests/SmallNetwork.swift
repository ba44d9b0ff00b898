// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

import AnalysisCore
import FileAccess
import Hashing
import HelperProtocol
import ModelStore
import TestSupport

@testable import ModelInference

/// The ONNX file of a network of one convolution and an end.
struct SmallNetwork {
    /// The last layers of a network, after features of 8 channels in 4 × 4 places, which give 3 columns.
    enum End: String, CaseIterable {
        case meanThenGemmThenSoftmax
        case meanThenMatrixThenSigmoid
        case meanThenConvolution
        case convolutionThenMean
        case reducedMeanThenGemm
        /// A network whose features are not averaged, so it has no map.
        case highestThenGemm
        /// A network whose mean is over 2 × 2 places only, so it has no map.
        case meanOfFourPlacesThenGemm
    }

    private var graph = ProtobufMessage()
    private var generator = SplitMix64(state: 5)

    init(_ end: End) {
        value("input", [1, 3, 16, 16], field: 11)
        weights("kernel", [8, 3, 4, 4])
        node("Conv", ["input", "kernel"], "features", ["kernel_shape": [4, 4], "strides": [4, 4]])
        weights("matrix", end == .meanThenMatrixThenSigmoid ? [8, 3] : [3, 8])
        weights("points", [3, 8, 1, 1])
        weights("bias", [3])
        switch end {
        case .meanThenGemmThenSoftmax, .highestThenGemm:
            node(end == .highestThenGemm ? "GlobalMaxPool" : "GlobalAveragePool", ["features"], "mean")
            node("Flatten", ["mean"], "flat")
            node("Gemm", ["flat", "matrix", "bias"], "sums", ["transB": [1]])
            node("Softmax", ["sums"], "output", ["axis": [1]])
        case .meanOfFourPlacesThenGemm:
            node("AveragePool", ["features"], "mean", ["kernel_shape": [2, 2], "strides": [2, 2]])
            node("Flatten", ["mean"], "flat")
            weights("wide", [3, 32])
            node("Gemm", ["flat", "wide", "bias"], "sums", ["transB": [1]])
            node("Softmax", ["sums"], "output", ["axis": [1]])
        case .meanThenMatrixThenSigmoid:
            node("AveragePool", ["features"], "mean", ["kernel_shape": [4, 4], "strides": [1, 1]])
            node("Flatten", ["mean"], "flat")
            node("MatMul", ["flat", "matrix"], "product")
            node("Add", ["product", "bias"], "sums")
            node("Sigmoid", ["sums"], "output")
        case .meanThenConvolution:
            node("GlobalAveragePool", ["features"], "mean")
            node("Conv", ["mean", "points", "bias"], "points-of-mean", ["kernel_shape": [1, 1]])
            node("Flatten", ["points-of-mean"], "sums")
            node("Softmax", ["sums"], "output", ["axis": [1]])
        case .convolutionThenMean:
            node("Conv", ["features", "points", "bias"], "points-of-places", ["kernel_shape": [1, 1]])
            node("GlobalAveragePool", ["points-of-places"], "mean")
            node("Flatten", ["mean"], "sums")
            node("Softmax", ["sums"], "output", ["axis": [1]])
        case .reducedMeanThenGemm:
            node("ReduceMean", ["features"], "mean", ["axes": [2, 3], "keepdims": [0]])
            node("Gemm", ["mean", "matrix", "bias"], "sums", ["transB": [1]])
            node("Sigmoid", ["sums"], "output")
        }
        value("output", [1, 3], field: 12)
        graph.write("network", 2)
    }

    /// A graph of two operations, each of which has the other's output as its input.
    static var ofCircle: SmallNetwork {
        var network = SmallNetwork()
        network.node("Identity", ["output"], "between")
        network.node("Identity", ["between"], "output")
        network.graph.write("network", 2)
        return network
    }

    /// A network with a second input, which is added to its scores.
    static var ofTwoInputs: SmallNetwork {
        var network = SmallNetwork()
        network.value("input", [1, 3, 16, 16], field: 11)
        network.value("second", [1, 3], field: 11)
        network.node("GlobalAveragePool", ["input"], "mean")
        network.node("Flatten", ["mean"], "flat")
        network.node("Add", ["flat", "second"], "sums")
        network.node("Softmax", ["sums"], "output", ["axis": [1]])
        network.value("output", [1, 3], field: 12)
        network.graph.write("network", 2)
        return network
    }

    /// A network with a second output that is as large as the input.
    static var ofEqualOutput: SmallNetwork {
        var network = SmallNetwork()
        network.value("input", [1, 3, 16, 16], field: 11)
        network.node("Add", ["input", "input"], "twice")
        network.node("GlobalAveragePool", ["twice"], "mean")
        network.node("Flatten", ["mean"], "flat")
        network.node("Softmax", ["flat"], "output", ["axis": [1]])
        network.value("output", [1, 3], field: 12)
        network.value("twice", [1, 3, 16, 16], field: 12)
        network.graph.write("network", 2)
        return network
    }

    /// A network whose output has some shape, with as many numbers as the input has places of 4 × 4.
    ///
    /// - Parameter shape: the shape; the product of its lengths is 16.
    static func ofOutput(_ shape: [Int]) -> SmallNetwork {
        var network = SmallNetwork()
        network.value("input", [1, 3, 16, 16], field: 11)
        network.weights("points", [1, 3, 4, 4])
        network.node("Conv", ["input", "points"], "places", ["kernel_shape": [4, 4], "strides": [4, 4]])
        network.node("Sigmoid", ["places"], "scores")
        network.integers("shape", shape)
        network.node("Reshape", ["scores", "shape"], "output")
        network.value("output", shape, field: 12)
        network.graph.write("network", 2)
        return network
    }

    /// Loads the network.
    func lane(input inputName: String = "input", output: String = "output") throws -> InferenceLane {
        let content = file
        var source = try LoadedModel.source(of: LoadedModel.installedModel())
        var hash = try SHA256()
        hash.update(content)
        source.model = try SealedMemory.copying(content).descriptor
        (source.modelDigest, source.modelByteCount) = (try hash.digest().bytes, content.count)
        let input = ModelInput(
            name: inputName, width: 16, height: 16, layout: .channelsFirst, channelOrder: .rgb, mean: [0, 0, 0],
            scale: [0.01, 0.01, 0.01],
            resize: ModelInput.Resize(mode: .stretch, width: 16, height: 16, filter: .bilinear, crop: .center))
        let model = try OpenVINOModel(source, input: input, outputs: [output], lanes: 1)
        return try InferenceLane(
            model, input: input, outputs: (0..<3).map { ModelOutputPlace(name: output, column: $0) })
    }

    private init() {}

    var file: [UInt8] {
        var (model, version) = (ProtobufMessage(), ProtobufMessage())
        model.write(8, 1)
        model.write(graph, 7)
        version.write(13, 2)
        model.write(version, 8)
        return model.bytes
    }

    private mutating func node(
        _ type: String, _ inputs: [String], _ output: String, _ attributes: [String: [Int]] = [:]
    ) {
        var node = ProtobufMessage()
        for input in inputs { node.write(input, 1) }
        node.write(output, 2)
        node.write(type, 4)
        for (name, values) in attributes {
            var attribute = ProtobufMessage()
            attribute.write(name, 1)
            let isList = values.count > 1 || name == "axes"
            for value in values { attribute.write(value, isList ? 8 : 3) }
            attribute.write(isList ? 7 : 2, 20)
            node.write(attribute, 5)
        }
        graph.write(node, 1)
    }

    private mutating func weights(_ name: String, _ dimensions: [Int]) {
        var tensor = ProtobufMessage()
        for dimension in dimensions { tensor.write(dimension, 1) }
        tensor.write(1, 2)
        tensor.write(name, 8)
        var bytes: [UInt8] = []
        for _ in 0..<dimensions.reduce(1, *) {
            let value = Float.random(in: -0.5...0.5, using: &generator).bitPattern
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        tensor.write(bytes: bytes, 9)
        graph.write(tensor, 5)
    }

    private mutating func integers(_ name: String, _ values: [Int]) {
        var tensor = ProtobufMessage()
        tensor.write(values.count, 1)
        tensor.write(7, 2)
        tensor.write(name, 8)
        tensor.write(bytes: values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }, 9)
        graph.write(tensor, 5)
    }

    private mutating func value(_ name: String, _ dimensions: [Int], field: Int) {
        var (value, type, tensor, shape) = (ProtobufMessage(), ProtobufMessage(), ProtobufMessage(), ProtobufMessage())
        for length in dimensions {
            var dimension = ProtobufMessage()
            dimension.write(length, 1)
            shape.write(dimension, 1)
        }
        tensor.write(1, 1)
        tensor.write(shape, 2)
        type.write(tensor, 1)
        value.write(name, 1)
        value.write(type, 2)
        graph.write(value, field)
    }
}
