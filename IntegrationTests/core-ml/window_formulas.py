# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""What convolutions and pooling of a Core ML file compute, by numpy and without the converter.

Source of the formulas: https://apple.github.io/coremltools/mlmodel/Format/NeuralNetwork.html
"""

import math

import numpy as np

from layers import convolved, pooled, same_pads, transposed, windows

LARGEST_BLOB, MOST_WINDOWS = 1 << 20, 1 << 14


class NotKnown(Exception):
    """A part of a model that is not computed here."""


class Forbidden(Exception):
    """A part of a model that the format does not allow."""


def require(condition, rule):
    if not condition:
        raise Forbidden(rule)


def pair(values, usual):
    """Returns the values for height and width."""
    require(len(values) in (0, 2), "a pair has two numbers")
    return tuple(values) or (usual, usual)


def edges(amounts):
    """Returns top, bottom, left and right."""
    found = [edge for both in amounts.borderAmounts for edge in (both.startEdgeSize, both.endEdgeSize)]
    require(len(found) in (0, 4), "borders have two axes")
    return found or [0] * 4


def wide(numbers):
    """Returns numbers of channels in the shape that numpy applies to planes."""
    return numbers.reshape(-1, 1, 1)


def place_counts(x, kernel, stride, padding):
    """Returns the zeros before and after each axis, and the numbers of windows, for valid and same padding."""
    if padding.DESCRIPTOR.name == "SamePadding":
        pads = [same_pads(n, k, s, padding.asymmetryMode == 1) for n, k, s in zip(x.shape[1:], kernel, stride)]
    else:
        top, bottom, left, right = edges(padding.paddingAmounts)
        pads = [(top, bottom), (left, right)]
    counts = [windows(n, k, s, *p) for n, k, s, p in zip(x.shape[1:], kernel, stride, pads)]
    require(min(counts) >= 1, "a window fits into its input")
    if math.prod(counts) > MOST_WINDOWS or sum(map(sum, pads)) > MOST_WINDOWS:
        raise NotKnown("with many windows")
    return pads, counts


class WindowFormulas:
    """Each function is named as a kind of layer, and returns the results of its inputs."""

    def __init__(self, numbers, rounded):
        self.numbers, self.rounded = numbers, rounded

    def convolution(self, layer, inputs):
        x, = inputs
        groups, kernel, stride = layer.nGroups or 1, pair(layer.kernelSize, 3), pair(layer.stride, 1)
        channels = len(x) if layer.isDeconvolution else len(x) // groups
        require(len(x) % groups == 0 and layer.outputChannels % groups == 0, "groups divide the channels")
        require(layer.kernelChannels == channels, "kernels have the channels of the input")
        first = [len(x), layer.outputChannels // groups] if layer.isDeconvolution else [layer.outputChannels, channels]
        weights = self.numbers(layer.weights, [*first, *kernel], 1 if layer.isDeconvolution else 0)
        bias = self.numbers(layer.bias, [layer.outputChannels]) if layer.hasBias else np.zeros(layer.outputChannels)
        padding = layer.WhichOneof("ConvolutionPaddingType")
        require(padding, "a convolution has a kind of padding")
        if layer.isDeconvolution:
            return [self.deconvolution(layer, x, weights, bias, stride, groups)]
        dilation = pair(layer.dilationFactor, 1)
        window = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
        (rows, columns), _ = place_counts(x, window, stride, getattr(layer, padding))
        pads = (rows[0], columns[0], rows[1], columns[1])
        return [convolved(x, weights, bias, stride, dilation, pads, groups)]

    def deconvolution(self, layer, x, weights, bias, stride, groups):
        full = [(n - 1) * s + k for n, s, k in zip(x.shape[1:], stride, weights.shape[2:])]
        top, bottom, left, right = edges(layer.valid.paddingAmounts)
        pads, lengths = (top, left), [full[0] - top - bottom, full[1] - left - right]
        if layer.outputShape or layer.HasField("same"):
            # The kind of padding does not count where a shape is set.
            is_top_heavy = layer.same.asymmetryMode == 1 and not layer.outputShape
            lengths = layer.outputShape or [n * s for n, s in zip(x.shape[1:], stride)]
            pads = [(max(0, f - n) + is_top_heavy) // 2 for f, n in zip(full, lengths)]
        require(min(lengths) >= 1, "a result is not empty")
        if math.prod(lengths) > LARGEST_BLOB or math.prod(full) > LARGEST_BLOB or x.size > MOST_WINDOWS:
            raise NotKnown("with a large layer")
        return transposed(x, weights, bias, stride, pads, lengths, groups)

    def pooling(self, layer, inputs):
        x, = inputs
        if layer.type not in (0, 1):
            raise NotKnown("with pooling by a norm")
        if layer.globalPooling:
            return [(x.mean if layer.type else x.max)(axis=(1, 2), keepdims=True)]
        kernel, stride = pair(layer.kernelSize, 3), pair(layer.stride, 1)
        padding = layer.WhichOneof("PoolingPaddingType")
        require(padding, "pooling has a kind of padding")
        is_complete = padding == "includeLastPixel"
        if is_complete:
            pads = pair(layer.includeLastPixel.paddingAmounts, 0)
            counts = [math.ceil((n + 2 * p - k) / s) + 1 for n, p, k, s in zip(x.shape[1:], pads, kernel, stride)]
            if any(pads):
                counts = [c - ((c - 1) * s >= n + p) for c, s, n, p in zip(counts, stride, x.shape[1:], pads)]
            if math.prod(counts) > MOST_WINDOWS:
                raise NotKnown("with many windows")
        else:
            both, counts = place_counts(x, kernel, stride, getattr(layer, padding))
            pads = [start for start, _ in both]
        return [pooled(x, kernel, stride, pads, counts, layer.type == 1, layer.avgPoolExcludePadding, is_complete)]
