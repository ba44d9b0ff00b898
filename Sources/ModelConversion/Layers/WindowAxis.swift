// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

internal import ModelFormats

/// The positions of a window along one axis of a blob: for a convolution, or for pooling.
struct WindowAxis {
    /// The zeros before and after the blob.
    var start, end: Int
    /// The number of positions.
    var length: Int
}

extension LayerContext {
    /// Returns the border amounts for height and width; zeros if the file has none.
    func borders(_ amounts: CoreMLBorderAmounts) throws(ConversionFailure) -> (height: WindowAxis, width: WindowAxis) {
        let edges = amounts.borderAmounts
        guard !edges.isEmpty else {
            return (WindowAxis(start: 0, end: 0, length: 0), WindowAxis(start: 0, end: 0, length: 0))
        }
        guard edges.count == 2 else { throw failure("has impossible border amounts") }
        var axes: [WindowAxis] = []
        for edge in edges {
            guard edge.startEdgeSize <= Self.largestLength, edge.endEdgeSize <= Self.largestLength else {
                throw failure("has an impossible border amount")
            }
            axes.append(
                WindowAxis(
                    start: try count(edge.startEdgeSize, "border amount", least: 0),
                    end: try count(edge.endEdgeSize, "border amount", least: 0), length: 0))
        }
        return (axes[0], axes[1])
    }

    /// Returns the positions of a window within a padded blob, for height and width.
    func valid(
        _ shape: BlobShape, window: (height: Int, width: Int), stride: (height: Int, width: Int),
        _ padding: CoreMLValidPadding
    ) throws(ConversionFailure) -> [WindowAxis] {
        let border = try borders(padding.paddingAmounts)
        return [
            try valid(shape.height, window: window.height, stride: stride.height, border.height),
            try valid(shape.width, window: window.width, stride: stride.width, border.width),
        ]
    }

    /// Returns the positions of a window for as many results as the blob has strides, for height and width.
    func same(
        _ shape: BlobShape, window: (height: Int, width: Int), stride: (height: Int, width: Int),
        _ padding: CoreMLSamePadding
    ) throws(ConversionFailure) -> [WindowAxis] {
        [
            try same(shape.height, window: window.height, stride: stride.height, padding),
            try same(shape.width, window: window.width, stride: stride.width, padding),
        ]
    }

    /// Returns the positions of a window within a padded axis.
    private func valid(
        _ length: Int, window: Int, stride: Int, _ border: WindowAxis
    ) throws(ConversionFailure) -> WindowAxis {
        let room = length + border.start + border.end - window
        guard room >= 0 else { throw failure("has a window that is larger than its input") }
        return WindowAxis(start: border.start, end: border.end, length: room / stride + 1)
    }

    /// Returns the positions of a window for as many results as the axis has strides.
    private func same(
        _ length: Int, window: Int, stride: Int, _ padding: CoreMLSamePadding
    ) throws(ConversionFailure) -> WindowAxis {
        let count = (length + stride - 1) / stride
        let total = max(0, (count - 1) * stride + window - length)
        let (start, end) = try split(total, padding)
        return WindowAxis(start: start, end: end, length: count)
    }

    /// Returns the shares of a padding before and after a blob.
    func split(_ total: Int, _ padding: CoreMLSamePadding) throws(ConversionFailure) -> (start: Int, end: Int) {
        switch padding.asymmetryMode {
        case .bottomRightHeavy: (total / 2, total - total / 2)
        case .topLeftHeavy: (total - total / 2, total / 2)
        case .UNRECOGNIZED: throw failure("has an unknown kind of padding")
        }
    }
}
