// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import AnalysisCore
internal import HelperProtocol

/// The end of a convolutional classifier: features of places, their mean, a linear layer, and the score function.
///
/// The mean and the linear layer may change places. So the linear layer of each place gives a map whose mean is the
/// input of the score function, and the score of a part of the picture is that of the mean over the part's places.
struct NetworkEnd {
    /// The tensor with the features of each place, of shape 1 × channels × rows × columns.
    let features: String
    /// The linear layer behind the mean; nil if the features are the input of the score function already.
    let layer: Layer?
    let function: ScoreFunction

    struct Layer {
        let columnCount: Int
        /// The weights of a column's channels, one column after the other.
        let weights: [Float]
        let bias: [Float]
    }

    /// Finds the end of the network that gives an output; nil for a network with another end, such as a transformer.
    init?(of output: String, in graph: ONNXGraph) throws(ModelFailure) {
        var tensor = output
        /// Goes back over operations that change the shape only, and returns the operation before them.
        func producer() -> ONNXGraph.Node? {
            // The operations of a hostile file may form a circle.
            for _ in 0..<Self.mostShapeOperations {
                guard let node = graph.producer(of: tensor), Self.shapeOperations.contains(node.type),
                    let input = node.inputs.first
                else { break }
                tensor = input
            }
            return graph.producer(of: tensor)
        }
        guard var node = producer() else { return nil }
        switch node.type {
        case "Softmax": function = .softmax
        case "Sigmoid": function = .sigmoid
        default: function = .identity
        }
        if function != .identity {
            tensor = node.inputs.first ?? ""
            guard let before = producer() else { return nil }
            node = before
        }
        var bias: [Float]?
        if node.type == "Add", node.inputs.count == 2 {
            for (place, other) in [(0, 1), (1, 0)] where bias == nil {
                bias = try graph.weights(node.inputs[place])?.values
                if bias != nil { tensor = node.inputs[other] }
            }
            guard bias != nil, let before = producer(), before.type == "MatMul" else { return nil }
            node = before
        }
        if ["MatMul", "Gemm", "Conv"].contains(node.type) {
            guard let layer = try Self.layer(node, bias, graph) else { return nil }
            self.layer = layer
            tensor = node.inputs[0]
            guard let before = producer() else { return nil }
            node = before
        } else {
            layer = nil
        }
        guard try Self.isMeanOverPlaces(node, graph), let input = node.inputs.first else { return nil }
        features = input
    }

    private static func layer(
        _ node: ONNXGraph.Node, _ bias: [Float]?, _ graph: ONNXGraph
    ) throws(ModelFailure) -> Layer? {
        guard node.inputs.count >= 2, let (dimensions, values) = try graph.weights(node.inputs[1]),
            dimensions.count >= 2, dimensions.dropFirst(2).allSatisfy({ $0 == 1 }),
            (node.reals["alpha"] ?? 1) == 1, (node.reals["beta"] ?? 1) == 1, node.numbers["transA"] ?? [0] == [0],
            node.numbers["group"] ?? [1] == [1]
        else { return nil }
        let isByColumn = node.type == "Conv" || node.numbers["transB"] == [1]
        let columns = isByColumn ? dimensions[0] : dimensions[1]
        let channels = isByColumn ? dimensions[1] : dimensions[0]
        guard (1...largestColumnCount).contains(columns) else { return nil }
        var own = bias ?? Array(repeating: 0, count: columns)
        if node.inputs.count > 2, !node.inputs[2].isEmpty {
            guard bias == nil, let values = try graph.weights(node.inputs[2])?.values else { return nil }
            own = values
        }
        guard own.count == columns else { return nil }
        let weights =
            isByColumn
            ? values : (0..<columns).flatMap { column in (0..<channels).map { values[$0 * columns + column] } }
        return Layer(columnCount: columns, weights: weights, bias: own)
    }

    private static func isMeanOverPlaces(_ node: ONNXGraph.Node, _ graph: ONNXGraph) throws(ModelFailure) -> Bool {
        switch node.type {
        case "GlobalAveragePool", "AveragePool": return true
        case "ReduceMean":
            var axes = node.numbers["axes"]
            if axes == nil, node.inputs.count == 2 { axes = try graph.wholeNumbers(node.inputs[1]) }
            return axes.map { Set($0.map { $0 < 0 ? $0 + 4 : $0 }) == [2, 3] } ?? false
        default: return false
        }
    }

    /// The operations that leave the numbers of one picture and their order alone.
    private static let shapeOperations: Set = ["Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Dropout"]
    /// The most of them in a row, more than exporters write.
    private static let mostShapeOperations = 16
    /// The largest number of columns, which bounds the size of a map.
    static let largestColumnCount = 1024
}
