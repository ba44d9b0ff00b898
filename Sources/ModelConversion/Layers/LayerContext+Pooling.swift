// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// Maxima and averages of windows.
extension LayerContext {
    mutating func pooling(_ layer: CoreMLPoolingLayerParams) throws(ConversionFailure) -> Blob {
        let input = try self.input
        let isAverage: Bool
        switch layer.type {
        case .max: isAverage = false
        case .average: isAverage = true
        default: throw failure("pools by a norm, which is not supported", .useONNX)
        }
        let shape = input.shape
        if layer.globalPooling {
            let name = try graph.node(isAverage ? "GlobalAveragePool" : "GlobalMaxPool", [input.name])
            return Blob(name: name, shape: try BlobShape(shape.channels, 1, 1))
        }
        let kernel = try pair(layer.kernelSize, usual: 3, "kernel size")
        let stride = try pair(layer.stride, usual: 1, "stride")
        var axes: [WindowAxis]
        var source = input.name
        var countsPadding = !layer.avgPoolExcludePadding
        switch layer.poolingPaddingType {
        case .valid(let padding)?: axes = try valid(shape, window: kernel, stride: stride, padding)
        case .same(let padding)?: axes = try same(shape, window: kernel, stride: stride, padding)
        case .includeLastPixel(let padding)?:
            let border = try pair(padding.paddingAmounts, usual: 0, "padding", least: 0)
            let isPadded = border.height > 0 || border.width > 0
            guard border.height < kernel.height, border.width < kernel.width else {
                throw failure("has a padding that is as large as its window", .useONNX)
            }
            axes = [
                try complete(shape.height, window: kernel.height, stride: stride.height, border.height, isPadded),
                try complete(shape.width, window: kernel.width, stride: stride.width, border.width, isPadded),
            ]
            if isAverage && countsPadding {
                // The zeros of the padding count, and the places behind them, which the last window may reach, do not.
                source = try padded(source, border)
                axes[0].start = 0
                axes[0].end = max(0, axes[0].end - border.height)
                axes[1].start = 0
                axes[1].end = max(0, axes[1].end - border.width)
                countsPadding = false
            }
        case nil: throw failure("has no kind of padding")
        }
        guard axes[0].start < kernel.height, axes[0].end < kernel.height, axes[1].start < kernel.width,
            axes[1].end < kernel.width
        else { throw failure("has a padding that is as large as its window", .useONNX) }
        let result = try BlobShape(shape.channels, axes[0].length, axes[1].length)
        let geometry: KeyValuePairs<String, GraphBuilder.Attribute> = [
            "kernel_shape": .integers([kernel.height, kernel.width]),
            "strides": .integers([stride.height, stride.width]),
            "pads": .integers(axes.map(\.start) + axes.map(\.end)),
        ]
        let averageGeometry: KeyValuePairs<String, GraphBuilder.Attribute> = [
            "kernel_shape": geometry[0].value, "strides": geometry[1].value, "pads": geometry[2].value,
            "count_include_pad": .integer(countsPadding ? 1 : 0),
        ]
        let name = try graph.node(
            isAverage ? "AveragePool" : "MaxPool", [source], isAverage ? averageGeometry : geometry)
        return Blob(name: name, shape: result)
    }

    /// Returns the positions of a window of which the last includes the last number of the axis.
    private func complete(
        _ length: Int, window: Int, stride: Int, _ border: Int, _ isPadded: Bool
    ) throws(ConversionFailure) -> WindowAxis {
        let room = length + 2 * border - window
        guard room >= 0 else { throw failure("has a window that is larger than its input") }
        var count = (room + stride - 1) / stride + 1
        if isPadded && (count - 1) * stride >= length + border { count -= 1 }
        let end = (count - 1) * stride + window - length - border
        // ONNX must find the same number of windows with these borders.
        guard count >= 1, end >= 0, (length + border + end - window) / stride + 1 == count else {
            throw failure("has a padding that cannot be converted", .useONNX)
        }
        return WindowAxis(start: border, end: end, length: count)
    }

    private mutating func padded(
        _ value: String, _ border: (height: Int, width: Int)
    ) throws(ConversionFailure) -> String {
        guard border.height > 0 || border.width > 0 else { return value }
        let pads = [0, 0, border.height, border.width, 0, 0, border.height, border.width]
        return try graph.node("Pad", [value, graph.constant(integers: pads)])
    }
}
