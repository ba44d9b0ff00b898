// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

/// Operations of windows that move over a picture.
extension OperationContext {
    /// The positions of a window along one dimension.
    private struct Positions {
        /// The places before and after the tensor.
        var start, end: Int
        var count: Int
    }

    /// The size of a window and its steps, for each dimension behind the channels.
    private struct Window {
        var sizes, strides, dilations: [Int]

        var spans: [Int] { zip(sizes, dilations).map { ($0 - 1) * $1 + 1 } }
    }

    mutating func convolution() throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        let dimensionCount = x.shape.rank - 2
        guard (1...2).contains(dimensionCount) else {
            throw failure("is over other than one or two dimensions", .useONNX)
        }
        let groups = try integer("groups", usual: 1)
        guard try constant("weight") != nil else { throw failure("has no weights") }
        let weight = try tensor("weight")
        guard weight.shape.rank == x.shape.rank, groups >= 1, weight.lengths[0].isMultiple(of: groups),
            x.lengths[1].isMultiple(of: groups), weight.lengths[1] == x.lengths[1] / groups
        else { throw failure("has weights that do not fit") }
        let ones = Array(repeating: 1, count: dimensionCount)
        let window = Window(
            sizes: try lengths(Array(weight.lengths[2...]), "weight", count: dimensionCount),
            strides: try lengths(try integers("strides", usual: ones), "strides", count: dimensionCount),
            dilations: try lengths(try integers("dilations", usual: ones), "dilations", count: dimensionCount))
        let positions = try positions(of: window, in: x, isComplete: false)
        if let fault = OpenVINOFaults.ofConvolution(
            spans: window.spans, strides: window.strides,
            isPadded: positions.contains { $0.start > 0 || $0.end > 0 } || graph.isResult(x.name, of: "Pad"),
            kernelChannels: weight.lengths[1],
            lengths: positions.map(\.count))
        {
            throw failure(fault, .useOtherNetwork)
        }
        var inputs = [x.name, weight.name]
        if has("bias") {
            let bias = try tensor("bias")
            guard bias.lengths == [weight.lengths[0]] else { throw failure("has a bias that does not fit") }
            inputs.append(bias.name)
        }
        return try result(
            "Conv", inputs,
            [
                "kernel_shape": .integers(window.sizes), "strides": .integers(window.strides),
                "dilations": .integers(window.dilations), "group": .integer(groups),
                "pads": .integers(positions.map(\.start) + positions.map(\.end)),
            ],
            TensorShape([x.lengths[0], weight.lengths[0]] + positions.map(\.count)))
    }

    mutating func pooling(isAverage: Bool) throws(ConversionFailure) -> [ProgramValue] {
        let x = try tensor("x")
        let dimensionCount = x.shape.rank - 2
        guard (1...2).contains(dimensionCount) else {
            throw failure("is over other than one or two dimensions", .useONNX)
        }
        let ones = Array(repeating: 1, count: dimensionCount)
        let sizes = try lengths(try integers("kernel_sizes"), "kernel_sizes", count: dimensionCount)
        let window = Window(
            sizes: sizes, strides: try lengths(try integers("strides", usual: ones), "strides", count: dimensionCount),
            dilations: ones)
        let isComplete = try flag("ceil_mode", usual: false)
        let positions = try positions(of: window, in: x, isComplete: isComplete)
        guard zip(positions, sizes).allSatisfy({ $0.start < $1 && $0.end < $1 }) else {
            throw failure("has a padding that is as large as its window", .useONNX)
        }
        var countsPadding = false
        if isAverage { countsPadding = try !flag("exclude_padding_from_average", usual: false) }
        guard !(countsPadding && isComplete) else {
            throw failure("counts a padding and an incomplete window", .useONNX)
        }
        let shape = try TensorShape(Array(x.lengths[..<2]) + positions.map(\.count))
        let pads = GraphBuilder.Attribute.integers(positions.map(\.start) + positions.map(\.end))
        guard isAverage else {
            return try result(
                "MaxPool", [x.name],
                ["kernel_shape": .integers(sizes), "strides": .integers(window.strides), "pads": pads], shape)
        }
        return try result(
            "AveragePool", [x.name],
            [
                "kernel_shape": .integers(sizes), "strides": .integers(window.strides), "pads": pads,
                "count_include_pad": .integer(countsPadding ? 1 : 0),
            ], shape)
    }

    /// Returns the positions of a window by the kind of padding.
    ///
    /// - Parameter isComplete: whether a last window that reaches beyond the padding counts.
    private mutating func positions(
        of window: Window, in x: ProgramTensor, isComplete: Bool
    ) throws(ConversionFailure) -> [Positions] {
        let lengths = Array(x.lengths[2...])
        var pads = Array(repeating: 0, count: lengths.count * 2)
        let kind = try text("pad_type", usual: "valid")
        // Only the kind custom obeys the amounts, which others may state nevertheless.
        if has("pad") {
            let stated = try integers("pad")
            guard stated.count == pads.count, stated.allSatisfy({ (0...Self.largestLength).contains($0) }) else {
                throw failure("has an impossible padding")
            }
            if kind == "custom" { pads = stated }
        }
        var positions: [Positions] = []
        for (index, length) in lengths.enumerated() {
            let (span, stride) = (window.spans[index], window.strides[index])
            switch kind {
            case "valid", "custom":
                positions.append(
                    try Self.positions(
                        length, span, stride, start: pads[2 * index], end: pads[2 * index + 1], isComplete, self))
            case "same", "same_lower":
                let count = (length + stride - 1) / stride
                let total = max(0, (count - 1) * stride + span - length)
                let start = kind == "same" ? total / 2 : total - total / 2
                positions.append(Positions(start: start, end: total - start, count: count))
            default: throw failure("has an unknown kind of padding")
            }
        }
        return positions
    }

    private static func positions(
        _ length: Int, _ span: Int, _ stride: Int, start: Int, end: Int, _ isComplete: Bool,
        _ operation: OperationContext
    ) throws(ConversionFailure) -> Positions {
        let room = length + start + end - span
        guard room >= 0 else { throw operation.failure("has a window that is larger than its input") }
        guard isComplete, !room.isMultiple(of: stride) else {
            return Positions(start: start, end: end, count: room / stride + 1)
        }
        let count = room / stride + 2
        // The last window has to begin in the tensor or in the padding before it.
        guard (count - 1) * stride < length + start else {
            return Positions(start: start, end: end, count: count - 1)
        }
        return Positions(start: start, end: (count - 1) * stride + span - length - start, count: count)
    }

    private func lengths(_ values: [Int], _ meaning: String, count: Int) throws(ConversionFailure) -> [Int] {
        guard values.count == count, values.allSatisfy({ (1...Self.largestLength).contains($0) }) else {
            throw failure("has impossible \(meaning)")
        }
        return values
    }

    /// No window, stride or padding of a real network comes near it; larger ones made OpenVINO crash.
    static let largestLength = 4096
}
