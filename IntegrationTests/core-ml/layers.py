# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Models of one layer, made by coremltools, and what numpy computes for them from the published formulas.

Source of the formulas: https://apple.github.io/coremltools/mlmodel/Format/NeuralNetwork.html
"""

import math
from dataclasses import dataclass, field

import numpy as np
from coremltools.models import datatypes
from coremltools.models.neural_network import NeuralNetworkBuilder


@dataclass
class Case:
    """A model, an input, and the expected output."""

    name: str
    spec: object
    inputs: np.ndarray
    expected: np.ndarray
    tolerance: float = 1e-5
    kinds: set = field(default_factory=set)


class Cases:
    """The list of cases, made from one source of random numbers."""

    def __init__(self):
        self.random = np.random.default_rng(24)
        self.all = []

    def numbers(self, *shape):
        return self.random.uniform(-1, 1, shape).astype(np.float32)

    def add(self, name, inputs, expected, build, tolerance=1e-5):
        """Adds a model with one input x and one output y."""
        shape = inputs.shape
        builder = NeuralNetworkBuilder([("x", datatypes.Array(*shape))], [("y", datatypes.Array(*expected.shape))])
        build(builder)
        self.all.append(Case(name, builder.spec, inputs, expected, tolerance))

    def edit(self, name, inputs, expected, kind, change, inputs_of_layer=("x",), before=None):
        """Adds a model whose layer is set by a function on its message."""

        def build(builder):
            if before:
                before(builder)
            layer = builder.spec.neuralNetwork.layers.add()
            layer.name = "layer"
            layer.input.extend(inputs_of_layer)
            layer.output.append("y")
            message = getattr(layer, kind)
            message.SetInParent()
            change(message)

        self.add(name, inputs, expected, build)


def windows(length, kernel, stride, start, end):
    return (length + start + end - kernel) // stride + 1


def padded(values, top, left, bottom, right, value=0.0):
    return np.pad(values, ((0, 0), (top, bottom), (left, right)), constant_values=value)


def convolved(values, weights, bias, stride=(1, 1), dilation=(1, 1), pads=(0, 0, 0, 0), groups=1):
    """Weights: output channels x channels of a group x height x width."""
    values = padded(values.astype(np.float64), *pads)
    count, per_group, height, width = weights.shape
    window = ((height - 1) * dilation[0] + 1, (width - 1) * dilation[1] + 1)
    rows = (values.shape[1] - window[0]) // stride[0] + 1
    columns = (values.shape[2] - window[1]) // stride[1] + 1
    result = np.zeros((count, rows, columns))
    for channel in range(count):
        first = channel // (count // groups) * per_group
        part = values[first:first + per_group]
        for row in range(rows):
            for column in range(columns):
                y, x = row * stride[0], column * stride[1]
                patch = part[:, y:y + window[0]:dilation[0], x:x + window[1]:dilation[1]]
                result[channel, row, column] = (patch * weights[channel]).sum() + bias[channel]
    return result


def transposed(values, weights, bias, stride, pads, lengths, groups=1):
    """Weights: channels x output channels of a group x height x width; pads: top, left."""
    channels, per_group, height, width = weights.shape
    count = per_group * groups
    full = np.zeros((count, (values.shape[1] - 1) * stride[0] + height, (values.shape[2] - 1) * stride[1] + width))
    for channel in range(channels):
        group = channel // (channels // groups)
        for row in range(values.shape[1]):
            for column in range(values.shape[2]):
                y, x = row * stride[0], column * stride[1]
                target = full[group * per_group:(group + 1) * per_group, y:y + height, x:x + width]
                target += values[channel, row, column] * weights[channel]
    result = np.zeros((count, *lengths))
    part = full[:, pads[0]:pads[0] + lengths[0], pads[1]:pads[1] + lengths[1]]
    result[:, :part.shape[1], :part.shape[2]] = part
    return result + np.asarray(bias)[:, None, None]


def same_pads(length, window, stride, top_heavy):
    total = max(0, (math.ceil(length / stride) - 1) * stride + window - length)
    small, large = total // 2, total - total // 2
    return (large, small) if top_heavy else (small, large)


def add_convolutions(cases):
    for name, size, kernel, stride, dilation, groups, padding in [
        ("plain", (3, 9, 8), (3, 3), (1, 1), (1, 1), 1, "valid"),
        ("wide", (2, 9, 12), (2, 5), (2, 3), (1, 1), 1, "valid"),
        ("dilated", (2, 13, 12), (3, 2), (1, 2), (2, 3), 1, "valid"),
        ("groups", (4, 7, 7), (3, 3), (2, 2), (1, 1), 2, "same"),
        ("depthwise", (6, 8, 7), (3, 3), (1, 1), (1, 1), 6, "same"),
        ("bottom", (3, 9, 10), (4, 4), (3, 2), (1, 1), 1, "same"),
        ("top", (3, 9, 10), (4, 4), (3, 2), (1, 1), 1, "same-top"),
        ("dilated-same", (2, 11, 10), (3, 3), (1, 1), (2, 2), 1, "same"),
        ("bordered", (3, 8, 8), (3, 3), (2, 2), (1, 1), 1, "border"),
    ]:
        values = cases.numbers(*size)
        weights = cases.numbers(4 if groups < 6 else 6, size[0] // groups, *kernel)
        bias = cases.numbers(len(weights))
        window = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
        pads = (0, 0, 0, 0)
        if padding.startswith("same"):
            rows = same_pads(size[1], window[0], stride[0], padding == "same-top")
            columns = same_pads(size[2], window[1], stride[1], padding == "same-top")
            pads = (rows[0], columns[0], rows[1], columns[1])
        if padding == "border":
            pads = (1, 2, 3, 0)
        expected = convolved(values, weights, bias, stride, dilation, pads, groups)

        def change(layer):
            layer.outputChannels, layer.kernelChannels, layer.nGroups = len(weights), weights.shape[1], groups
            layer.kernelSize.extend(kernel)
            layer.stride.extend(stride)
            layer.dilationFactor.extend(dilation)
            if padding.startswith("same"):
                layer.same.asymmetryMode = 1 if padding == "same-top" else 0
            else:
                layer.valid.SetInParent()
                if padding == "border":
                    borders(layer.valid.paddingAmounts, (pads[0], pads[2]), (pads[1], pads[3]))
            layer.hasBias = True
            layer.weights.floatValue.extend(weights.ravel().tolist())
            layer.bias.floatValue.extend(bias.tolist())

        cases.edit(f"convolution-{name}", values, expected, "convolution", change)

    values, weights = cases.numbers(2, 6, 6), cases.numbers(3, 2, 3, 3)

    def defaults(layer):
        layer.outputChannels, layer.kernelChannels = 3, 2
        layer.valid.SetInParent()
        layer.weights.floatValue.extend(weights.ravel().tolist())

    cases.edit("convolution-defaults", values, convolved(values, weights, [0] * 3), "convolution", defaults)


def borders(message, rows, columns):
    for start, end in (rows, columns):
        edge = message.borderAmounts.add()
        edge.startEdgeSize, edge.endEdgeSize = start, end


def add_deconvolutions(cases):
    for name, size, kernel, stride, groups, padding, shape in [
        ("plain", (3, 4, 5), (3, 3), (2, 2), 1, "valid", None),
        ("groups", (4, 4, 3), (2, 3), (1, 2), 2, "valid", None),
        ("border", (2, 5, 5), (4, 4), (2, 2), 1, "border", None),
        ("same", (2, 5, 4), (4, 4), (2, 2), 1, "same", None),
        ("same-small", (2, 5, 4), (2, 2), (3, 3), 1, "same", None),
        ("shape", (2, 4, 4), (4, 4), (2, 2), 1, "valid", (8, 9)),
    ]:
        values = cases.numbers(*size)
        weights = cases.numbers(size[0], 4 // groups, *kernel)
        bias = cases.numbers(4)
        full = [(n - 1) * s + k for n, s, k in zip(size[1:], stride, kernel)]
        pads, lengths = (0, 0), full
        if padding == "border":
            pads, lengths = (1, 2), (full[0] - 1 - 1, full[1] - 2 - 0)
        if padding == "same":
            lengths = [n * s for n, s in zip(size[1:], stride)]
        if shape:
            lengths = shape
        if padding == "same" or shape:
            pads = [max(0, f - n) // 2 for f, n in zip(full, lengths)]
        expected = transposed(values, weights, bias, stride, pads, lengths, groups)

        def change(layer):
            layer.isDeconvolution = True
            layer.outputChannels, layer.kernelChannels, layer.nGroups = 4, size[0], groups
            layer.kernelSize.extend(kernel)
            layer.stride.extend(stride)
            if padding == "same":
                layer.same.SetInParent()
            else:
                layer.valid.SetInParent()
                if padding == "border":
                    borders(layer.valid.paddingAmounts, (1, 1), (2, 0))
            if shape:
                layer.outputShape.extend(shape)
            layer.hasBias = True
            layer.weights.floatValue.extend(weights.ravel().tolist())
            layer.bias.floatValue.extend(bias.tolist())

        cases.edit(f"deconvolution-{name}", values, expected, "convolution", change)


def pooled(values, kernel, stride, pads, lengths, average, exclude, complete):
    """Pads: top, left. A place outside of input and padding never counts."""
    channels, height, width = values.shape
    result = np.zeros((channels, *lengths))
    for row in range(lengths[0]):
        for column in range(lengths[1]):
            y, x = row * stride[0] - pads[0], column * stride[1] - pads[1]
            ends = (y + kernel[0], x + kernel[1])
            patch = values[:, max(0, y):min(height, ends[0]), max(0, x):min(width, ends[1])]
            if not average:
                result[:, row, column] = patch.max(axis=(1, 2))
                continue
            if exclude:
                count = patch.shape[1] * patch.shape[2]
            elif complete:
                count = (min(ends[0], height + pads[0]) - y) * (min(ends[1], width + pads[1]) - x)
            else:
                count = kernel[0] * kernel[1]
            result[:, row, column] = patch.sum(axis=(1, 2)) / count
    return result


def add_pooling(cases):
    for kind, average, exclude in [("max", False, False), ("average", True, False), ("average-exclude", True, True)]:
        for name, size, kernel, stride, padding in [
            ("valid", (3, 9, 8), (3, 3), (2, 2), "valid"),
            ("valid-border", (2, 8, 9), (3, 4), (2, 3), "border"),
            ("same", (2, 8, 9), (3, 3), (2, 2), "same"),
            ("same-top", (2, 8, 9), (3, 2), (2, 3), "same-top"),
            ("last-pixel", (2, 8, 8), (3, 3), (2, 2), "last"),
            ("last-pixel-border", (2, 8, 7), (3, 3), (2, 2), "last-border"),
            ("last-pixel-odd", (2, 112, 112), (3, 3), (2, 2), "last"),
        ]:
            values = cases.numbers(*size)
            pads = (0, 0)
            if padding == "border":
                pads = (1, 2)
                lengths = [windows(n, k, s, p, q) for n, k, s, p, q in zip(size[1:], kernel, stride, pads, (2, 1))]
            elif padding.startswith("same"):
                lengths = [math.ceil(n / s) for n, s in zip(size[1:], stride)]
                pads = [same_pads(n, k, s, padding == "same-top")[0] for n, k, s in zip(size[1:], kernel, stride)]
            elif padding.startswith("last"):
                pads = (1, 1) if padding == "last-border" else (0, 0)
                lengths = [math.ceil((n + 2 * p - k) / s) + 1 for n, p, k, s in zip(size[1:], pads, kernel, stride)]
                if pads != (0, 0):
                    lengths = [c - 1 if (c - 1) * s >= n + p else c
                               for c, s, n, p in zip(lengths, stride, size[1:], pads)]
            else:
                lengths = [windows(n, k, s, 0, 0) for n, k, s in zip(size[1:], kernel, stride)]
            expected = pooled(values, kernel, stride, pads, lengths, average, exclude, padding.startswith("last"))

            def change(layer):
                layer.type = 1 if average else 0
                layer.kernelSize.extend(kernel)
                layer.stride.extend(stride)
                layer.avgPoolExcludePadding = exclude
                if padding.startswith("same"):
                    layer.same.asymmetryMode = 1 if padding == "same-top" else 0
                elif padding.startswith("last"):
                    layer.includeLastPixel.paddingAmounts.extend(pads)
                else:
                    layer.valid.SetInParent()
                    if padding == "border":
                        borders(layer.valid.paddingAmounts, (1, 2), (2, 1))

            cases.edit(f"pooling-{kind}-{name}", values, expected, "pooling", change)
        if exclude:
            continue
        values = cases.numbers(3, 6, 5)
        expected = (values.mean(axis=(1, 2)) if average else values.max(axis=(1, 2)))[:, None, None]

        def change_global(layer):
            layer.type = 1 if average else 0
            layer.globalPooling = True
            layer.valid.SetInParent()

        cases.edit(f"pooling-{kind}-global", values, expected, "pooling", change_global)


def add_activations(cases):
    values = cases.numbers(3, 4, 5) * 3
    slopes, factors = cases.numbers(3), cases.numbers(3)
    column = slopes[:, None, None].astype(np.float64)
    factor = factors[:, None, None].astype(np.float64)
    x = values.astype(np.float64)

    def plain(name, kind, expected, **numbers):
        def change(layer):
            message = getattr(layer, kind)
            message.SetInParent()
            for key, value in numbers.items():
                setattr(message, key, value)
        cases.edit(f"activation-{name}", values, expected, "activation", change)

    plain("linear", "linear", 0.5 * x - 0.25, alpha=0.5, beta=-0.25)
    plain("linear-zero", "linear", 0 * x + 0.5, alpha=0, beta=0.5)
    plain("relu", "ReLU", np.maximum(x, 0))
    plain("leaky", "leakyReLU", np.where(x >= 0, x, 0.1 * x), alpha=0.1)
    plain("threshold", "thresholdedReLU", np.where(x >= 0.5, x, 0), alpha=0.5)
    plain("tanh", "tanh", np.tanh(x))
    plain("scaled-tanh", "scaledTanh", 1.5 * np.tanh(0.5 * x), alpha=1.5, beta=0.5)
    plain("sigmoid", "sigmoid", 1 / (1 + np.exp(-x)))
    plain("hard-sigmoid", "sigmoidHard", np.clip(0.2 * x + 0.5, 0, 1), alpha=0.2, beta=0.5)
    plain("elu", "ELU", np.where(x >= 0, x, 0.75 * (np.exp(x) - 1)), alpha=0.75)
    plain("softsign", "softsign", x / (1 + np.abs(x)))
    plain("softplus", "softplus", np.log1p(np.exp(x)))

    def prelu(layer):
        layer.PReLU.alpha.floatValue.extend(slopes.tolist())

    cases.edit("activation-prelu", values, np.where(x >= 0, x, column * x), "activation", prelu)

    def softplus(layer):
        layer.parametricSoftplus.alpha.floatValue.extend(slopes.tolist())
        layer.parametricSoftplus.beta.floatValue.extend(factors.tolist())

    cases.edit("activation-parametric-softplus", values, column * np.log1p(np.exp(factor * x)), "activation", softplus)


def add_unary(cases):
    values = (cases.numbers(2, 3, 4) + 1.5).astype(np.float32)
    x = values.astype(np.float64)
    for number, (name, expected) in enumerate([
        ("sqrt", np.sqrt(2 * x + 0.5)),
        ("rsqrt", 1 / np.sqrt(2 * x + 0.5 + 1e-3)),
        ("inverse", 1 / (2 * x + 0.5 + 1e-3)),
        ("power", (2 * x + 0.5) ** 1.5),
        ("exp", np.exp(2 * x + 0.5)),
        ("log", np.log(2 * x + 0.5)),
        ("abs", np.abs(2 * x + 0.5)),
        ("threshold", np.maximum(1.5, 2 * x + 0.5)),
    ]):
        def change(layer):
            layer.type, layer.alpha, layer.epsilon, layer.shift, layer.scale = number, 1.5, 1e-3, 0.5, 2.0
        cases.edit(f"unary-{name}", values, expected, "unary", change)

    def defaults(layer):
        layer.type = 2

    cases.edit("unary-defaults", values, 1 / (x + 1e-6), "unary", defaults)


def add_arithmetic(cases):
    values = cases.numbers(3, 4, 5)
    x = values.astype(np.float64)

    def constant(shape):
        numbers = cases.numbers(*shape)

        def before(builder):
            layer = builder.spec.neuralNetwork.layers.add()
            layer.name = "constant"
            layer.output.append("c")
            layer.loadConstant.shape.extend(shape)
            layer.loadConstant.data.floatValue.extend(numbers.ravel().tolist())
        return numbers.astype(np.float64), before

    for name, shape in [("same", (3, 4, 5)), ("channels", (3, 1, 1)), ("plane", (1, 4, 5)), ("one", (1, 1, 1))]:
        for kind, function in [("add", np.add), ("multiply", np.multiply), ("max", np.maximum), ("min", np.minimum),
                               ("average", lambda a, b: (a + b) / 2)]:
            other, before = constant(shape)
            cases.edit(f"{kind}-{name}", values, function(x, other), kind, lambda layer: None, ("x", "c"), before)
    cases.edit("add-three", values, 3 * x, "add", lambda layer: None, ("x", "x", "x"))

    def alpha(layer):
        layer.alpha = 0.75

    cases.edit("add-alpha", values, x + 0.75, "add", alpha)
    cases.edit("multiply-alpha", values, 0.75 * x, "multiply", alpha)
    for name, shape in [("one", (1,)), ("channels", (3,)), ("plane", (1, 4, 5)), ("all", (3, 4, 5))]:
        factor, summand = cases.numbers(*shape), cases.numbers(*shape)
        wide = [n.reshape(-1, 1, 1) if n.ndim == 1 else n for n in (factor, summand)]

        def scale(layer):
            layer.shapeScale.extend(shape)
            layer.scale.floatValue.extend(factor.ravel().tolist())
            layer.hasBias = True
            layer.shapeBias.extend(shape)
            layer.bias.floatValue.extend(summand.ravel().tolist())

        def bias(layer):
            layer.shape.extend(shape)
            layer.bias.floatValue.extend(summand.ravel().tolist())

        cases.edit(f"scale-{name}", values, x * wide[0] + wide[1], "scale", scale)
        cases.edit(f"bias-{name}", values, x + wide[1], "bias", bias)
    other, before = constant((2, 4, 5))
    cases.edit("concat", values, np.concatenate([x, other]), "concat", lambda layer: None, ("x", "c"), before)


def add_products(cases):
    for name, size in [("vector", (7, 1, 1)), ("planes", (2, 3, 4))]:
        values = cases.numbers(*size)
        count = int(np.prod(size))
        weights, bias = cases.numbers(5, count), cases.numbers(5)
        expected = (weights.astype(np.float64) @ values.ravel() + bias).reshape(5, 1, 1)

        def change(layer):
            layer.inputChannels, layer.outputChannels, layer.hasBias = count, 5, True
            layer.weights.floatValue.extend(weights.ravel().tolist())
            layer.bias.floatValue.extend(bias.tolist())

        cases.edit(f"inner-product-{name}", values, expected, "innerProduct", change)


def add_normalization(cases):
    values = cases.numbers(5, 4, 3)
    x = values.astype(np.float64)
    gamma, beta, mean = cases.numbers(5), cases.numbers(5), cases.numbers(5)
    variance = np.abs(cases.numbers(5)) + 0.1
    wide = [n[:, None, None].astype(np.float64) for n in (gamma, beta, mean, variance)]

    def batch(layer, computes=False, instance=False):
        layer.channels, layer.epsilon = 5, 1e-3
        layer.computeMeanVar, layer.instanceNormalization = computes, instance
        for name, numbers in [("gamma", gamma), ("beta", beta), ("mean", mean), ("variance", variance)]:
            if not computes or name in ("gamma", "beta"):
                getattr(layer, name).floatValue.extend(numbers.tolist())

    cases.edit("batchnorm", values, wide[0] * (x - wide[2]) / np.sqrt(wide[3] + 1e-3) + wide[1], "batchnorm", batch)
    own = (x - x.mean(axis=(1, 2), keepdims=True)) / np.sqrt(x.var(axis=(1, 2), keepdims=True) + 1e-3)
    for name, instance in [("batchnorm-computed", False), ("batchnorm-instance", True)]:
        cases.edit(name, values, wide[0] * own + wide[1], "batchnorm", lambda layer: batch(layer, True, instance))
    for across in (False, True):
        for divides in (False, True):
            axes = (0, 1, 2) if across else (1, 2)
            expected = x - x.mean(axis=axes, keepdims=True)
            if divides:
                expected = expected / np.sqrt(x.var(axis=axes, keepdims=True) + 1e-3)

            def change(layer):
                layer.acrossChannels, layer.normalizeVariance, layer.epsilon = across, divides, 1e-3

            cases.edit(f"mvn-{'across' if across else 'within'}-{'both' if divides else 'mean'}", values, expected,
                       "mvn", change)

    def epsilon(layer):
        layer.epsilon = 1e-3

    cases.edit("l2normalize", values, x / np.sqrt((x * x).sum() + 1e-3), "l2normalize", epsilon)

    def response(layer):
        layer.alpha, layer.beta, layer.localSize, layer.k = 0.5, 0.75, 3, 2.0

    sums = np.stack([(x[max(0, c - 1):c + 2] ** 2).sum(axis=0) for c in range(5)])
    cases.edit("lrn", values, x / (2 + 0.5 / 3 * sums) ** 0.75, "lrn", response)
    raised = np.exp(x - x.max(axis=0))
    cases.edit("softmax", values, raised / raised.sum(axis=0), "softmax", lambda layer: None)


def add_shaping(cases):
    values = cases.numbers(4, 6, 5)
    for mode, name in enumerate(["first", "last"]):
        source = values if mode == 0 else values.transpose(1, 2, 0)

        def flat(layer):
            layer.mode = mode

        cases.edit(f"flatten-{name}", values, source.reshape(-1, 1, 1), "flatten", flat)
        target = source.reshape(2, 12, 5) if mode == 0 else source.reshape(12, 5, 2).transpose(2, 0, 1)

        def shape(layer):
            layer.mode = mode
            layer.targetShape.extend([2, 12, 5])

        cases.edit(f"reshape-{name}", values, target, "reshape", shape)
    for axes in [(0, 2, 3, 1), (0, 3, 1, 2), (0, 1, 2, 3)]:
        def permute(layer):
            layer.axis.extend(axes)

        expected = values.transpose([a - 1 for a in axes[1:]])
        cases.edit(f"permute-{''.join(map(str, axes))}", values, expected, "permute", permute)
    for axis, (start, end, step) in enumerate([(1, 3, 1), (0, -1, 2), (-4, -1, 1)]):
        def cut(layer):
            layer.startIndex, layer.endIndex, layer.stride, layer.axis = start, end, step, axis

        expected = values[tuple([slice(None)] * axis + [slice(start, end, step)])]
        cases.edit(f"slice-{axis}", values, expected, "slice", cut)

    def crop(layer):
        borders(layer.cropAmounts, (1, 2), (2, 1))

    cases.edit("crop", values, values[:, 1:4, 2:4], "crop", crop)

    def reference(builder):
        layer = builder.spec.neuralNetwork.layers.add()
        layer.name = "constant"
        layer.output.append("c")
        layer.loadConstant.shape.extend([1, 3, 2])
        layer.loadConstant.data.floatValue.extend([0] * 6)

    def offset(layer):
        layer.offset.extend([2, 1])

    cases.edit("crop-offset", values, values[:, 2:5, 1:3], "crop", offset, ("x", "c"), reference)
    for name, mode in [("constant", {"constant_values": 0.5}), ("reflection", {}), ("replication", {})]:
        def pad(layer):
            getattr(layer, name).SetInParent()
            if name == "constant":
                layer.constant.value = 0.5
            borders(layer.paddingAmounts, (2, 1), (1, 3))

        how = {"constant": "constant", "reflection": "reflect", "replication": "edge"}[name]
        expected = np.pad(values, ((0, 0), (2, 1), (1, 3)), how, **mode)
        cases.edit(f"padding-{name}", values, expected, "padding", pad)

    def nearest(layer):
        layer.scalingFactor.extend([2, 3])

    cases.edit("upsample-nearest", values, values.repeat(2, axis=1).repeat(3, axis=2), "upsample", nearest)
    for mode, name in enumerate(["default", "corners", "centres"]):
        def linear(layer):
            layer.scalingFactor.extend([2, 3])
            layer.mode, layer.linearUpsampleMode = 1, mode

        cases.edit(f"upsample-linear-{name}", values, interpolated(values, (2, 3), name), "upsample", linear)

    def parts(builder):
        layer = builder.spec.neuralNetwork.layers.add()
        layer.name = "split"
        layer.input.append("x")
        layer.output.extend(["a", "b"])
        layer.split.nOutputs = 2

    expected = np.concatenate([values[2:], values[:2]])
    cases.edit("split", values, expected, "concat", lambda layer: None, ("b", "a"), parts)


def interpolated(values, factors, name):
    result = values.astype(np.float64)
    for axis, factor in zip((1, 2), factors):
        length = result.shape[axis]
        count = length * factor
        places = np.arange(count)
        if name == "default":
            places = places / factor
        elif name == "corners":
            places = places * (length - 1) / max(1, count - 1)
        else:
            places = (places + 0.5) / factor - 0.5
        places = np.clip(places, 0, length - 1)
        low = np.floor(places).astype(int)
        high = np.minimum(low + 1, length - 1)
        share = (places - low).reshape([-1 if a == axis else 1 for a in range(3)])
        result = result.take(low, axis) * (1 - share) + result.take(high, axis) * share
    return result


def add_reductions(cases):
    values = (cases.numbers(3, 4, 5) + 1.25).astype(np.float32)
    x = values.astype(np.float64)
    axes = [(0, 1, 2), (1, 2), (0,), (1,), (2,)]
    functions = [
        ("sum", lambda a: x.sum(a, keepdims=True)), ("avg", lambda a: x.mean(a, keepdims=True)),
        ("prod", lambda a: x.prod(a, keepdims=True)),
        ("logsum", lambda a: np.log(x + 1e-3).sum(a, keepdims=True)),
        ("sumsquare", lambda a: (x * x).sum(a, keepdims=True)), ("l1", lambda a: np.abs(x).sum(a, keepdims=True)),
        ("l2", lambda a: np.sqrt((x * x).sum(a, keepdims=True))), ("max", lambda a: x.max(a, keepdims=True)),
        ("min", lambda a: x.min(a, keepdims=True)),
        ("argmax", lambda a: x.argmax(a[0], keepdims=True).astype(np.float64)),
    ]
    for mode, (name, function) in enumerate(functions):
        for number, axis in enumerate(axes):
            if name == "argmax" and len(axis) > 1:
                continue

            def change(layer):
                layer.mode, layer.axis, layer.epsilon = mode, number, 1e-3

            cases.edit(f"reduce-{name}-{number}", values, function(axis), "reduce", change)


def add_encodings(cases):
    values = cases.numbers(4, 3, 2)
    count = 24
    channels = 5

    def product(name, weights, encode):
        def change(layer):
            layer.inputChannels, layer.outputChannels = count, channels
            encode(layer.weights)

        expected = (weights.reshape(channels, count) @ values.ravel().astype(np.float64)).reshape(-1, 1, 1)
        cases.edit(f"weights-{name}", values, expected, "innerProduct", change)

    halves = cases.numbers(channels * count).astype(np.float16)

    def half(message):
        message.float16Value = halves.tobytes()

    product("float16", halves.astype(np.float64), half)
    for bits in range(1, 9):
        numbers = cases.random.integers(0, 1 << bits, channels * count)
        spread = [[number >> (bits - 1 - bit) & 1 for bit in range(bits)] for number in numbers]
        raw = np.packbits(np.array(spread, dtype=np.uint8).ravel()).tobytes()
        table = cases.numbers(1 << bits)
        scales, summands = cases.numbers(channels), cases.numbers(channels)

        def lookup(message):
            message.rawValue = raw
            message.quantization.numberOfBits = bits
            message.quantization.lookupTableQuantization.floatValue.extend(table.tolist())

        product(f"table-{bits}", table[numbers].astype(np.float64), lookup)

        def linear(message):
            message.rawValue = raw
            message.quantization.numberOfBits = bits
            message.quantization.linearQuantization.scale.extend(scales.tolist())
            message.quantization.linearQuantization.bias.extend(summands.tolist())

        lines = numbers.reshape(channels, count) * scales[:, None].astype(np.float64) + summands[:, None]
        product(f"linear-{bits}", lines, linear)
    numbers = cases.random.integers(0, 256, channels * count)

    def shared(message):
        message.rawValue = numbers.astype(np.uint8).tobytes()
        message.quantization.numberOfBits = 8
        message.quantization.linearQuantization.scale.append(0.01)
        message.quantization.linearQuantization.bias.append(-1)

    product("linear-shared", numbers * np.float64(np.float32(0.01)) - 1, shared)
    # The scales of a deconvolution are those of its second axis.
    numbers = cases.random.integers(0, 256, (4, 3, 2, 2))
    scales, summands = cases.numbers(3), cases.numbers(3)
    weights = numbers * scales[:, None, None].astype(np.float64) + summands[:, None, None]

    def deconvolution(layer):
        layer.isDeconvolution, layer.outputChannels, layer.kernelChannels = True, 3, 4
        layer.kernelSize.extend([2, 2])
        layer.valid.SetInParent()
        layer.weights.rawValue = numbers.astype(np.uint8).tobytes()
        layer.weights.quantization.numberOfBits = 8
        layer.weights.quantization.linearQuantization.scale.extend(scales.tolist())
        layer.weights.quantization.linearQuantization.bias.extend(summands.tolist())

    expected = transposed(values, weights, [0] * 3, (1, 1), (0, 0), (4, 3))
    cases.edit("weights-linear-deconvolution", values, expected, "convolution", deconvolution)


def all_cases():
    cases = Cases()
    for add in (add_convolutions, add_deconvolutions, add_pooling, add_activations, add_unary, add_arithmetic,
                add_products, add_normalization, add_shaping, add_reductions, add_encodings):
        add(cases)
    names = [case.name for case in cases.all]
    assert len(set(names)) == len(names)
    return cases.all
