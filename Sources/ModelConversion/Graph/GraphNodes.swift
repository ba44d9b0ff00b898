// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// The nodes of a finished graph, with the origin of each value.
struct GraphNodes {
    let nodes: [ONNXNodeProto]
    private let origins: [String: Int]
    private let constants: Set<String>

    init(_ graph: ONNXGraphProto) {
        nodes = graph.node
        constants = Set(graph.initializer.map(\.name))
        origins = Dictionary(
            graph.node.enumerated().flatMap { index, node in node.output.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Whether a value comes from an operation, but for changes of its shape and arithmetic with constants.
    func comes(_ name: String, from operations: Set<String>) -> Bool {
        var name = name
        for _ in 0..<Self.longestPath {
            guard let node = origins[name].map({ nodes[$0] }) else { return false }
            if operations.contains(node.opType) { return true }
            switch node.opType {
            case "Reshape", "Transpose", "Slice", "Split": name = node.input[0]
            case "Add", "Sub", "Mul", "Div":
                let operands = node.input.filter { !constants.contains($0) }
                guard operands.count == 1 else { return false }
                name = operands[0]
            default: return false
            }
        }
        return false
    }

    /// Whether a value is computed from another one in a few steps.
    func isMade(_ name: String, of origin: String) -> Bool {
        var names: Set<String> = [name]
        for _ in 0..<Self.longestPath {
            guard !names.contains(origin) else { return true }
            names = Set(names.flatMap { name in origins[name].map { nodes[$0].input } ?? [] })
        }
        return false
    }

    /// A function of one number, and the end of a network, have fewer operations.
    private static let longestPath = 16
}
