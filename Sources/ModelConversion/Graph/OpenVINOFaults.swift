// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// Operations that OpenVINO 2026.4.1 computes wrongly, found by comparisons with ONNX Runtime and numpy.
enum OpenVINOFaults {
    /// Returns the words for a convolution that is computed wrongly; nil for one that is computed rightly.
    ///
    /// - Parameters:
    ///   - spans: the numbers of places that a kernel reaches over, for each dimension behind the channels.
    ///   - kernelChannels: the number of channels that a kernel reads.
    ///   - lengths: the lengths of the result behind its channels.
    static func ofConvolution(
        spans: [Int], strides: [Int], isPadded: Bool, kernelChannels: Int, lengths: [Int]
    ) -> String? {
        // OpenVINO moves the strides of a kernel of one pixel to the layer before, and counts the padding twice.
        if spans.allSatisfy({ $0 == 1 }), isPadded, strides.contains(where: { $0 > 1 }) {
            return "has a kernel of one pixel with strides and padding, which is not supported"
        }
        // Some results of one column are wrong where a kernel reads one channel.
        if kernelChannels == 1, lengths.last == 1, strides.last != 1, lengths.dropLast().contains(where: { $0 > 1 }) {
            return "makes one column of a single channel with strides, which is not supported"
        }
        return nil
    }

    /// Returns the words for a part of a graph that is computed wrongly; nil if there is none.
    ///
    /// - Parameter isProgram: whether products of matrices can have several rows, as those of layers have not.
    static func of(_ graph: GraphNodes, isProgram: Bool) -> String? {
        for node in graph.nodes {
            switch node.opType {
            // The slopes of the channels are applied to the columns of a product.
            case "PRelu" where isProgram && graph.comes(node.input[0], from: ["MatMul"]):
                return "a rectifier with slopes after a product of matrices"
            // A function that first falls and then rises is computed before the maximum.
            case "Mul" where isProductWithFunction(node, graph):
                return "a function such as silu or gelu after a maximum of windows"
            default: break
            }
        }
        return nil
    }

    /// Whether a node multiplies a maximum of windows with a function of it.
    private static func isProductWithFunction(_ node: ONNXNodeProto, _ graph: GraphNodes) -> Bool {
        [(0, 1), (1, 0)].contains { value, function in
            let value = node.input[value]
            return graph.comes(value, from: ["MaxPool", "GlobalMaxPool"])
                && graph.isMade(node.input[function], of: value)
        }
    }
}
