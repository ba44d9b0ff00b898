# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""What the layers of a Core ML file compute, by numpy and without the converter.

Source of the formulas: https://apple.github.io/coremltools/mlmodel/Format/NeuralNetwork.html
"""

import functools
import math

import numpy as np

from layers import interpolated
from window_formulas import LARGEST_BLOB, NotKnown, WindowFormulas, edges, pair, require, wide

UNARY = [
    lambda v, layer, epsilon: np.sqrt(v),
    lambda v, layer, epsilon: 1 / np.sqrt(v + epsilon),
    lambda v, layer, epsilon: 1 / (v + epsilon),
    lambda v, layer, epsilon: v ** layer.alpha,
    lambda v, layer, epsilon: np.exp(v),
    lambda v, layer, epsilon: np.log(v),
    lambda v, layer, epsilon: np.abs(v),
    lambda v, layer, epsilon: np.maximum(v, layer.alpha),
]

ACTIVATIONS = {
    "linear": lambda x, p: p.alpha * x + p.beta,
    "ReLU": lambda x, p: np.maximum(x, 0),
    "leakyReLU": lambda x, p: np.where(x >= 0, x, p.alpha * x),
    "thresholdedReLU": lambda x, p: np.where(x >= p.alpha, x, 0),
    "tanh": lambda x, p: np.tanh(x),
    "scaledTanh": lambda x, p: p.alpha * np.tanh(p.beta * x),
    "sigmoid": lambda x, p: 1 / (1 + np.exp(-x)),
    "sigmoidHard": lambda x, p: np.clip(p.alpha * x + p.beta, 0, 1),
    "ELU": lambda x, p: np.where(x >= 0, x, p.alpha * np.expm1(np.minimum(x, 0))),
    "softsign": lambda x, p: x / (1 + np.abs(x)),
    "softplus": lambda x, p: np.logaddexp(0, x),
}

REDUCTIONS = [
    lambda x, axes, epsilon: x.sum(axes, keepdims=True),
    lambda x, axes, epsilon: x.mean(axes, keepdims=True),
    lambda x, axes, epsilon: x.prod(axes, keepdims=True),
    lambda x, axes, epsilon: np.log(x + epsilon).sum(axes, keepdims=True),
    lambda x, axes, epsilon: (x * x).sum(axes, keepdims=True),
    lambda x, axes, epsilon: np.abs(x).sum(axes, keepdims=True),
    lambda x, axes, epsilon: np.sqrt((x * x).sum(axes, keepdims=True)),
    lambda x, axes, epsilon: x.max(axes, keepdims=True),
    lambda x, axes, epsilon: x.min(axes, keepdims=True),
    lambda x, axes, epsilon: x.argmax(axes[0], keepdims=True).astype(np.float64),
]


class Formulas(WindowFormulas):
    """Each function is named as a kind of layer, and returns the results of its inputs."""

    def compute(self, layer):
        """Returns the function of a layer from the list of its inputs to the list of its results."""
        kind = layer.WhichOneof("layer")
        function = getattr(self, kind or "", None)
        if function is None:
            raise NotKnown(f"with a layer of the kind {kind}")
        return functools.partial(function, getattr(layer, kind))

    def activation(self, layer, inputs):
        x, = inputs
        kind = layer.WhichOneof("NonlinearityType")
        require(kind, "an activation has a kind")
        message = getattr(layer, kind)
        if kind == "PReLU":
            return [np.where(x >= 0, x, self.of_channels(message.alpha, x) * x)]
        if kind == "parametricSoftplus":
            inner = self.of_channels(message.beta, x) * x
            return [self.of_channels(message.alpha, x) * np.logaddexp(0, inner)]
        return [ACTIVATIONS[kind](x, message)]

    def of_channels(self, message, x):
        return wide(self.numbers(message, [1 if len(message.floatValue) == 1 else len(x)]))

    def innerProduct(self, layer, inputs):
        x, = inputs
        require(layer.inputChannels == x.size, "a product has the weights of its input")
        if layer.int8DynamicQuantize:
            raise NotKnown("with a product of 8 bits")
        result = self.numbers(layer.weights, [layer.outputChannels, x.size], 0) @ x.ravel()
        if layer.hasBias:
            result = self.rounded(result) + self.numbers(layer.bias, [layer.outputChannels])
        return [wide(result)]

    def batchnorm(self, layer, inputs):
        x, = inputs
        require(layer.channels == len(x), "there are numbers for each channel")
        names = ("gamma", "beta") if layer.computeMeanVar else ("gamma", "beta", "mean", "variance")
        gamma, beta, *rest = (wide(self.numbers(getattr(layer, name), [len(x)])) for name in names)
        mean, variance = rest or (x.mean(axis=(1, 2), keepdims=True), x.var(axis=(1, 2), keepdims=True))
        scaled = self.rounded(gamma * self.rounded(x - mean) / np.sqrt(variance + (layer.epsilon or 1e-5)))
        return [scaled + beta]

    def mvn(self, layer, inputs):
        x, = inputs
        axes = (0, 1, 2) if layer.acrossChannels else (1, 2)
        result = self.rounded(x - x.mean(axis=axes, keepdims=True))
        if layer.normalizeVariance:
            result = result / np.sqrt(x.var(axis=axes, keepdims=True) + (layer.epsilon or 1e-6))
        return [result]

    def l2normalize(self, layer, inputs):
        x, = inputs
        return [x / np.sqrt((x * x).sum() + (layer.epsilon or 1e-6))]

    def softmax(self, layer, inputs):
        x, = inputs
        raised = np.exp(x - x.max(axis=0))
        return [raised / raised.sum(axis=0)]

    def lrn(self, layer, inputs):
        x, = inputs
        if layer.localSize % 2 == 0 or min(layer.alpha, layer.beta) <= 0:
            raise NotKnown("with a normalisation by channels that ONNX Runtime refuses")
        reach = min(layer.localSize // 2, len(x))
        sums = np.stack([(x[max(0, c - reach):c + reach + 1] ** 2).sum(axis=0) for c in range(len(x))])
        return [x / ((layer.k or 1) + layer.alpha / layer.localSize * sums) ** layer.beta]

    def crop(self, layer, inputs):
        x = inputs[0]
        if len(inputs) == 2:
            top, left = pair(layer.offset, 0)
            height, width = inputs[1].shape[1:]
        else:
            top, bottom, left, right = edges(layer.cropAmounts)
            height, width = x.shape[1] - top - bottom, x.shape[2] - left - right
        require(top + height <= x.shape[1] and left + width <= x.shape[2], "a crop lies within its input")
        return [x[:, top:top + height, left:left + width]]

    def padding(self, layer, inputs):
        x, = inputs
        kind = layer.WhichOneof("PaddingType")
        top, bottom, left, right = edges(layer.paddingAmounts)
        if (x.shape[1] + top + bottom) * (x.shape[2] + left + right) * len(x) > LARGEST_BLOB:
            raise NotKnown("with a large layer")
        mode = {"constant": "constant", "reflection": "reflect", "replication": "edge"}[kind]
        values = {"constant_values": layer.constant.value} if kind == "constant" else {}
        return [np.pad(x, ((0, 0), (top, bottom), (left, right)), mode, **values)]

    def upsample(self, layer, inputs):
        x, = inputs
        factors = pair(layer.scalingFactor, 1)
        if layer.fractionalScalingFactor or x.size * math.prod(factors) > LARGEST_BLOB:
            raise NotKnown("with a large layer or a fraction")
        if layer.mode == 0:
            return [x.repeat(factors[0], axis=1).repeat(factors[1], axis=2)]
        return [interpolated(x, factors, ["default", "corners", "centres"][layer.linearUpsampleMode])]

    def unary(self, layer, inputs):
        x, = inputs
        value = self.rounded(x * (layer.scale or 1)) + layer.shift
        return [UNARY[layer.type](self.rounded(value), layer, layer.epsilon or 1e-6)]

    def add(self, layer, inputs):
        return [functools.reduce(np.add, inputs if len(inputs) > 1 else [*inputs, layer.alpha])]

    def multiply(self, layer, inputs):
        return [functools.reduce(np.multiply, inputs if len(inputs) > 1 else [*inputs, layer.alpha])]

    def average(self, layer, inputs):
        return [functools.reduce(np.add, inputs) / len(inputs)]

    def max(self, layer, inputs):
        return [functools.reduce(np.maximum, inputs)]

    def min(self, layer, inputs):
        return [functools.reduce(np.minimum, inputs)]

    def scale(self, layer, inputs):
        x, = inputs
        result = x * self.broadcast(layer.scale, layer.shapeScale)
        if layer.hasBias:
            result = self.rounded(result) + self.broadcast(layer.bias, layer.shapeBias)
        require(result.shape == x.shape, "numbers have the shape of the input")
        return [result]

    def bias(self, layer, inputs):
        x, = inputs
        result = x + self.broadcast(layer.bias, layer.shape)
        require(result.shape == x.shape, "numbers have the shape of the input")
        return [result]

    def broadcast(self, message, shape):
        require(len(shape) in (1, 3), "numbers have one or three dimensions")
        numbers = self.numbers(message, list(shape), 0)
        return wide(numbers) if len(shape) == 1 else numbers

    def reduce(self, layer, inputs):
        x, = inputs
        axes = [(0, 1, 2), (1, 2), (0,), (1,), (2,)][layer.axis]
        require(layer.mode != 9 or len(axes) == 1, "a largest place has one axis")
        return [REDUCTIONS[layer.mode](x, axes, layer.epsilon or 1e-6)]

    def loadConstant(self, layer, inputs):
        require(not inputs and len(layer.shape) == 3, "a constant has three dimensions")
        return [self.numbers(layer.data, list(layer.shape))]

    def flatten(self, layer, inputs):
        x, = inputs
        return [wide((x.transpose(1, 2, 0) if layer.mode else x).ravel())]

    def reshape(self, layer, inputs):
        x, = inputs
        shape = list(layer.targetShape)
        require(len(shape) == 3 or len(shape) == 4 and shape.pop(0) == 1, "a shape has three dimensions")
        require(math.prod(shape) == x.size, "a shape has the numbers of its input")
        if layer.mode == 0:
            return [x.reshape(shape)]
        return [x.transpose(1, 2, 0).reshape(shape[1], shape[2], shape[0]).transpose(2, 0, 1)]

    def permute(self, layer, inputs):
        x, = inputs
        axes = list(layer.axis) or [0, 1, 2, 3]
        require(axes[0] == 0, "the sequence stays")
        return [x.transpose([axis - 1 for axis in axes[1:]])]

    def concat(self, layer, inputs):
        require(len(inputs) > 1 and not layer.sequenceConcat, "several inputs are joined by their channels")
        return [np.concatenate(inputs)]

    def split(self, layer, inputs):
        x, = inputs
        require(layer.nOutputs >= 1 and len(x) % layer.nOutputs == 0, "a split divides the channels")
        return np.split(x, layer.nOutputs)

    def slice(self, layer, inputs):
        x, = inputs
        require(layer.stride >= 1, "a stride is positive")
        return [x[(slice(None),) * layer.axis + (slice(layer.startIndex, layer.endIndex, layer.stride),)]]
