// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// A layer that is being converted, with its inputs and the graph that it adds nodes to.
struct LayerContext {
    let name: String
    let inputs: [Blob]
    let outputCount: Int
    var graph: GraphBuilder

    /// - Throws: `ConversionFailure` unless the layer has one input.
    var input: Blob {
        get throws(ConversionFailure) {
            guard inputs.count == 1 else { throw failure("needs one input and has \(inputs.count)") }
            return inputs[0]
        }
    }

    /// Returns a refusal of the layer.
    ///
    /// - Parameter reason: the words after the layer's name.
    func failure(_ reason: String, _ remedy: ConversionFailure.Remedy = .exportAgain) -> ConversionFailure {
        ConversionFailure("The layer \(ConversionFailure.quoted(name)) \(reason)", remedy)
    }

    /// Returns a count from the file as an integer.
    ///
    /// - Parameter least: the least value that makes sense.
    func count(_ value: UInt64, _ meaning: String, least: Int = 1) throws(ConversionFailure) -> Int {
        guard let count = Int(exactly: value), (least...Self.largestCount).contains(count) else {
            throw failure("has an impossible \(meaning)")
        }
        return count
    }

    /// Returns the values for height and width.
    ///
    /// No window, stride or factor of a real network comes near the largest value; larger ones made OpenVINO crash.
    ///
    /// - Parameter usual: the values if the file has none.
    func pair(
        _ values: [UInt64], usual: Int, _ meaning: String, least: Int = 1
    ) throws(ConversionFailure) -> (height: Int, width: Int) {
        guard !values.isEmpty else { return (usual, usual) }
        guard values.count == 2 else { throw failure("has an impossible \(meaning)") }
        guard values.allSatisfy({ $0 <= Self.largestLength }) else { throw failure("has an impossible \(meaning)") }
        return (try count(values[0], meaning, least: least), try count(values[1], meaning, least: least))
    }

    /// Returns a small constant, or its usual value if the file has none.
    func constant(_ value: Float, usual: Float, _ meaning: String) throws(ConversionFailure) -> Float {
        guard value.isFinite else { throw failure("has an impossible \(meaning)") }
        return value == 0 ? usual : value
    }

    func finite(_ value: Float, _ meaning: String) throws(ConversionFailure) -> Float {
        guard value.isFinite else { throw failure("has an impossible \(meaning)") }
        return value
    }

    /// Returns weights as 32-bit numbers.
    ///
    /// - Parameters:
    ///   - channelCount: the number of output channels of the weights.
    ///   - channelLength: the number of weights of a channel that lie together, if these are not all of them.
    func weights(
        _ parameters: CoreMLWeightParams, count: Int, channelCount: Int = 1, channelLength: Int? = nil,
        _ meaning: String
    ) throws(ConversionFailure) -> [Float] {
        try Weights.values(
            parameters, count: count,
            channels: Weights.Channels(count: channelCount, length: channelLength ?? max(1, count / channelCount)),
            "\(meaning) of the layer \(ConversionFailure.quoted(name))")
    }

    static let largestLength = 4096
    private static let largestCount = 1 << 24
}
