// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// Convolutions, and their transposition, which the format calls deconvolution.
extension LayerContext {
    mutating func convolution(_ layer: CoreMLConvolutionLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        let outputChannels = try count(layer.outputChannels, "number of kernels")
        let kernelChannels = try count(layer.kernelChannels, "number of channels")
        let groups = layer.nGroups == 0 ? 1 : try count(layer.nGroups, "number of groups")
        let kernel = try pair(layer.kernelSize, usual: 3, "kernel size")
        guard outputChannels.isMultiple(of: groups), input.shape.channels.isMultiple(of: groups),
            kernelChannels == (layer.isDeconvolution ? input.shape.channels : input.shape.channels / groups)
        else { throw failure("has kernels for another number of channels than its input") }
        let kernelLength = kernel.height * kernel.width
        let dimensions =
            layer.isDeconvolution
            ? [kernelChannels, outputChannels / groups, kernel.height, kernel.width]
            : [outputChannels, kernelChannels, kernel.height, kernel.width]
        let (weightCount, isTooLarge) = (dimensions[0] * dimensions[1]).multipliedReportingOverflow(by: kernelLength)
        guard !isTooLarge else { throw failure("has an impossible kernel size") }
        let weights = try self.weights(
            layer.weights, count: weightCount, channelCount: layer.isDeconvolution ? dimensions[1] : outputChannels,
            channelLength: layer.isDeconvolution ? kernelLength : nil, "weights")
        var inputs = [input.name, try graph.constant(weights, dimensions)]
        if layer.hasBias_p {
            let bias = try self.weights(layer.bias, count: outputChannels, "biases")
            inputs.append(try graph.constant(bias, [outputChannels]))
        }
        let geometry = ConvolutionGeometry(
            kernel: kernel, stride: try pair(layer.stride, usual: 1, "stride"), groups: groups)
        return layer.isDeconvolution
            ? try transposedConvolution(layer, inputs, outputChannels, geometry)
            : try ordinaryConvolution(layer, inputs, outputChannels, geometry)
    }

    /// The sizes of a convolution.
    struct ConvolutionGeometry {
        let kernel, stride: (height: Int, width: Int)
        let groups: Int
    }

    private mutating func ordinaryConvolution(
        _ layer: CoreMLConvolutionLayerParams, _ inputs: [String], _ outputChannels: Int,
        _ geometry: ConvolutionGeometry
    ) throws(ConversionFailure) -> Blob {
        let shape = try input.shape
        let dilation = try pair(layer.dilationFactor, usual: 1, "dilation")
        let (kernel, stride) = (geometry.kernel, geometry.stride)
        let window = (height: (kernel.height - 1) * dilation.height + 1, width: (kernel.width - 1) * dilation.width + 1)
        let axes: [WindowAxis]
        switch layer.convolutionPaddingType {
        case .valid(let padding)?: axes = try valid(shape, window: window, stride: stride, padding)
        case .same(let padding)?: axes = try same(shape, window: window, stride: stride, padding)
        case nil: throw failure("has no kind of padding")
        }
        let result = try BlobShape(outputChannels, axes[0].length, axes[1].length)
        if let fault = OpenVINOFaults.ofConvolution(
            spans: [window.height, window.width], strides: [stride.height, stride.width],
            isPadded: axes.contains { $0.start > 0 || $0.end > 0 } || graph.isResult(inputs[0], of: "Pad"),
            kernelChannels: shape.channels / geometry.groups,
            lengths: [result.height, result.width])
        {
            throw failure(fault, .useOtherNetwork)
        }
        let name = try graph.node(
            "Conv", inputs,
            [
                "kernel_shape": .integers([kernel.height, kernel.width]),
                "strides": .integers([stride.height, stride.width]),
                "dilations": .integers([dilation.height, dilation.width]),
                "pads": .integers(axes.map(\.start) + axes.map(\.end)), "group": .integer(geometry.groups),
            ])
        return Blob(name: name, shape: result)
    }

    private mutating func transposedConvolution(
        _ layer: CoreMLConvolutionLayerParams, _ inputs: [String], _ outputChannels: Int,
        _ geometry: ConvolutionGeometry
    ) throws(ConversionFailure) -> Blob {
        let shape = try input.shape
        let (kernel, stride) = (geometry.kernel, geometry.stride)
        let full = (
            height: (shape.height - 1) * stride.height + kernel.height,
            width: (shape.width - 1) * stride.width + kernel.width
        )
        // The whole result is computed, also where parts of it are cut off.
        _ = try BlobShape(outputChannels, full.height, full.width)
        let lengths: (height: Int, width: Int)
        let rows, columns: WindowAxis
        if case .valid(let padding)? = layer.convolutionPaddingType, layer.outputShape.isEmpty {
            (rows, columns) = try borders(padding.paddingAmounts)
            lengths = (full.height - rows.start - rows.end, full.width - columns.start - columns.end)
        } else {
            guard layer.convolutionPaddingType != nil else { throw failure("has no kind of padding") }
            guard layer.outputShape.isEmpty || layer.same.asymmetryMode == .bottomRightHeavy else {
                throw failure("has an output shape and a kind of padding that contradict each other", .useONNX)
            }
            lengths =
                layer.outputShape.isEmpty
                ? (shape.height * stride.height, shape.width * stride.width)
                : try pair(layer.outputShape, usual: 1, "output shape")
            rows = try surplus(full.height - lengths.height, layer.same)
            columns = try surplus(full.width - lengths.width, layer.same)
        }
        let result = try BlobShape(outputChannels, lengths.height, lengths.width)
        // Results that no kernel reaches are zeros, and lie behind the others.
        let missing = (height: max(0, lengths.height - full.height), width: max(0, lengths.width - full.width))
        guard missing.height < stride.height, missing.width < stride.width else {
            throw failure("has an output shape that its input does not fill")
        }
        let name = try graph.node(
            "ConvTranspose", inputs,
            [
                "kernel_shape": .integers([kernel.height, kernel.width]),
                "strides": .integers([stride.height, stride.width]),
                "pads": .integers([rows.start, columns.start, rows.end, columns.end]),
                "output_padding": .integers([missing.height, missing.width]), "group": .integer(geometry.groups),
            ])
        return Blob(name: name, shape: result)
    }

    private func surplus(_ total: Int, _ padding: CoreMLSamePadding) throws(ConversionFailure) -> WindowAxis {
        let (start, end) = try split(max(0, total), padding)
        return WindowAxis(start: start, end: end, length: 0)
    }
}
