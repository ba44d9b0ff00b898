// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// Layers that move numbers and change none.
extension LayerContext {
    mutating func flatten(_ layer: CoreMLFlattenLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        let shape = try BlobShape(input.shape.count, 1, 1)
        let source: String
        switch layer.mode {
        case .channelFirst: source = input.name
        case .channelLast: source = try graph.transposed(input.name, [0, 2, 3, 1])
        case .UNRECOGNIZED: throw failure("has an unknown order")
        }
        return Blob(name: try graph.reshaped(source, to: shape.dimensions), shape: shape)
    }

    mutating func reshape(_ layer: CoreMLReshapeLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        var lengths: [Int] = []
        for length in layer.targetShape { lengths.append(try count(UInt64(clamping: length), "shape")) }
        if lengths.count == 4 {
            guard lengths.removeFirst() == 1 else {
                throw failure("makes a sequence, which is not supported", .useONNX)
            }
        }
        guard lengths.count == 3 else { throw failure("has an impossible shape") }
        let shape = try BlobShape(lengths[0], lengths[1], lengths[2])
        guard shape.count == input.shape.count else { throw failure("has a shape for another number of values") }
        switch layer.mode {
        case .channelFirst:
            return Blob(name: try graph.reshaped(input.name, to: shape.dimensions), shape: shape)
        case .channelLast:
            let source = try graph.transposed(input.name, [0, 2, 3, 1])
            let target = try graph.reshaped(source, to: [1, shape.height, shape.width, shape.channels])
            return Blob(name: try graph.transposed(target, [0, 3, 1, 2]), shape: shape)
        case .UNRECOGNIZED: throw failure("has an unknown order")
        }
    }

    mutating func permute(_ layer: CoreMLPermuteLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        guard !layer.axis.isEmpty else { return input }
        guard layer.axis.sorted() == [0, 1, 2, 3] else { throw failure("has an impossible order of axes") }
        guard layer.axis[0] == 0 else { throw failure("moves the sequence, which is not supported", .useONNX) }
        let axes = layer.axis.map { Int($0) }
        let lengths = axes.dropFirst().map { input.shape.lengths[$0 - 1] }
        return Blob(
            name: try graph.transposed(input.name, axes), shape: try BlobShape(lengths[0], lengths[1], lengths[2]))
    }

    mutating func concat(_ layer: CoreMLConcatLayerParams) throws(ConversionFailure) -> Blob {
        guard !layer.sequenceConcat else { throw failure("makes a sequence, which is not supported", .useONNX) }
        guard inputs.count >= 2 else { throw failure("needs several inputs and has \(inputs.count)") }
        let first = inputs[0].shape
        guard inputs.allSatisfy({ $0.shape.height == first.height && $0.shape.width == first.width }) else {
            throw failure("has inputs of different sizes")
        }
        var channels = 0
        for input in inputs { channels = try BlobShape(channels + input.shape.channels, 1, 1).channels }
        let name = try graph.node("Concat", inputs.map(\.name), ["axis": .integer(1)])
        return Blob(name: name, shape: try BlobShape(channels, first.height, first.width))
    }

    mutating func split(_ layer: CoreMLSplitLayerParams) throws(ConversionFailure) -> [Blob] {
        let input = try self.input
        let parts = try count(layer.nOutputs, "number of results")
        guard parts == outputCount, input.shape.channels.isMultiple(of: parts) else {
            throw failure("splits its channels into an impossible number of parts")
        }
        let shape = try BlobShape(input.shape.channels / parts, input.shape.height, input.shape.width)
        let sizes = graph.constant(integers: Array(repeating: shape.channels, count: parts))
        let names = try graph.nodes("Split", [input.name, sizes], ["axis": .integer(1)], resultCount: parts)
        return names.map { Blob(name: $0, shape: shape) }
    }

    mutating func slice(_ layer: CoreMLSliceLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        guard (0...2).contains(layer.axis.rawValue) else { throw failure("has an unknown axis") }
        let axis = layer.axis.rawValue
        var lengths = input.shape.lengths
        let length = lengths[axis]
        func position(_ index: Int64) -> Int {
            let index = Int(index)
            return min(length, max(0, index < 0 ? index.addingReportingOverflow(length).partialValue : index))
        }
        let (start, end) = (position(layer.startIndex), position(layer.endIndex))
        let step = try count(layer.stride, "stride")
        guard start < end else { throw failure("has an empty result") }
        lengths[axis] = (end - start + step - 1) / step
        let name = try graph.sliced(input.name, axis: axis + 1, from: start, to: end, step: step)
        return Blob(name: name, shape: try BlobShape(lengths[0], lengths[1], lengths[2]))
    }

    mutating func crop(_ layer: CoreMLCropLayerParams) throws(ConversionFailure) -> Blob {
        guard let input = inputs.first, inputs.count <= 2 else { throw failure("needs one or two inputs") }
        let shape = input.shape
        let top, left: Int
        let result: BlobShape
        if inputs.count == 2 {
            let offset = try pair(layer.offset, usual: 0, "offset", least: 0)
            (top, left) = (offset.height, offset.width)
            result = try BlobShape(shape.channels, inputs[1].shape.height, inputs[1].shape.width)
        } else {
            let border = try borders(layer.cropAmounts)
            (top, left) = (border.height.start, border.width.start)
            result = try BlobShape(
                shape.channels, shape.height - top - border.height.end, shape.width - left - border.width.end)
        }
        guard top + result.height <= shape.height, left + result.width <= shape.width else {
            throw failure("crops more than its input has")
        }
        let rows = try graph.sliced(input.name, axis: 2, from: top, to: top + result.height)
        return Blob(name: try graph.sliced(rows, axis: 3, from: left, to: left + result.width), shape: result)
    }

    mutating func padding(_ layer: CoreMLPaddingLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        let border = try borders(layer.paddingAmounts)
        let (rows, columns) = (border.height, border.width)
        let shape = try BlobShape(
            input.shape.channels, input.shape.height + rows.start + rows.end,
            input.shape.width + columns.start + columns.end)
        let pads = graph.constant(integers: [0, 0, rows.start, columns.start, 0, 0, rows.end, columns.end])
        switch layer.paddingType {
        case .constant(let constant)?:
            let value = try graph.constant([try finite(constant.value, "border value")], [])
            return Blob(name: try graph.node("Pad", [input.name, pads, value]), shape: shape)
        case .reflection?:
            guard max(rows.start, rows.end) < input.shape.height, max(columns.start, columns.end) < input.shape.width
            else { throw failure("reflects more than its input has") }
            return Blob(name: try graph.node("Pad", [input.name, pads], ["mode": .text("reflect")]), shape: shape)
        case .replication?:
            return Blob(name: try graph.node("Pad", [input.name, pads], ["mode": .text("edge")]), shape: shape)
        case nil: throw failure("has no kind of padding")
        }
    }

    mutating func upsample(_ layer: CoreMLUpsampleLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        guard layer.fractionalScalingFactor.isEmpty else {
            throw failure("scales by a fraction, which is not supported", .useONNX)
        }
        let factor = try pair(layer.scalingFactor, usual: 1, "scaling factor")
        let shape = try BlobShape(
            input.shape.channels, input.shape.height * factor.height, input.shape.width * factor.width)
        let mode, transformation: String
        switch (layer.mode, layer.linearUpsampleMode) {
        case (.nn, _): (mode, transformation) = ("nearest", "asymmetric")
        case (.bilinear, .default): (mode, transformation) = ("linear", "asymmetric")
        case (.bilinear, .alignCornersTrue): (mode, transformation) = ("linear", "align_corners")
        case (.bilinear, .alignCornersFalse): (mode, transformation) = ("linear", "half_pixel")
        default: throw failure("has an unknown kind of interpolation", .useONNX)
        }
        let sizes = graph.constant(integers: shape.dimensions)
        let name = try graph.node(
            "Resize", [input.name, "", "", sizes],
            [
                "mode": .text(mode), "coordinate_transformation_mode": .text(transformation),
                "nearest_mode": .text("floor"),
            ])
        return Blob(name: name, shape: shape)
    }
}
