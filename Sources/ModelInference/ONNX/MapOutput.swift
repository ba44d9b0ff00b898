// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol

/// An output that is added to a network: the sums of each place, of which the network itself gives the mean only.
///
/// An ONNX file is one protobuf message, and a second graph behind it is merged into the first. So the output is added by
/// bytes behind the file.
struct MapOutput: Hashable {
    /// The index of the output tensor among those of the manifest.
    let index: Int
    let function: ScoreFunction

    /// The name of the tensor, of shape 1 × columns × rows × columns of places.
    ///
    /// A compiled copy has no other memory of the score function.
    var name: String { "sensitive-content-analysis/map/\(index)/\(function.rawValue)" }

    /// Returns the bytes that add the maps of outputs to a file.
    ///
    /// - Returns: no bytes for a network whose end gives no map.
    static func bytes(for outputs: [String], addedTo file: UnsafeRawBufferPointer) throws(ModelFailure) -> [UInt8] {
        let graph = try unsafe ONNXGraph(of: file)
        var content = ProtobufMessage()
        for (index, output) in outputs.enumerated() {
            guard let end = try NetworkEnd(of: output, in: graph) else { continue }
            MapOutput(index: index, function: end.function).write(end, to: &content)
        }
        guard !content.bytes.isEmpty else { return [] }
        var model = ProtobufMessage()
        model.write(content, 7)
        return model.bytes
    }

    /// Writes the node, its weights and the output.
    private func write(_ end: NetworkEnd, to graph: inout ProtobufMessage) {
        var node = ProtobufMessage()
        node.write(end.features, 1)
        if let layer = end.layer {
            node.write("\(name)/weights", 1)
            node.write("\(name)/bias", 1)
            graph.write(
                Self.tensor(
                    "\(name)/weights", [layer.columnCount, layer.weights.count / layer.columnCount, 1, 1], layer.weights
                ),
                5)
            graph.write(Self.tensor("\(name)/bias", [layer.columnCount], layer.bias), 5)
        }
        node.write(name, 2)
        node.write(name, 3)
        node.write(end.layer == nil ? "Identity" : "Conv", 4)
        graph.write(node, 1)
        var (type, tensor, output) = (ProtobufMessage(), ProtobufMessage(), ProtobufMessage())
        tensor.write(Self.float, 1)
        type.write(tensor, 1)
        output.write(name, 1)
        output.write(type, 2)
        graph.write(output, 12)
    }

    private static func tensor(_ name: String, _ dimensions: [Int], _ values: [Float]) -> ProtobufMessage {
        var tensor = ProtobufMessage()
        for dimension in dimensions { tensor.write(dimension, 1) }
        tensor.write(float, 2)
        tensor.write(name, 8)
        tensor.write(
            bytes: values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) } },
            9)
        return tensor
    }

    /// The number of 32-bit numbers in ONNX.
    private static let float = 1
}
