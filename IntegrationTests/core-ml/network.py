# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Networks with random weights, made twice: as a Core ML file, and as an ONNX file that our converter does not see."""

from dataclasses import dataclass

import numpy as np

from core_ml_twin import CoreMLTwin
from onnx_twin import ONNXTwin

# The variance of weights times their count. More tells pictures apart better, but amplifies rounding, which moves
# MobileNetV2's probabilities by 3e-5 at 2.9.
GAIN = 2.3


@dataclass
class Preprocessing:
    """Each channel times the scale, plus its bias; biases are those of red, green and blue."""

    scale: float
    biases: tuple
    is_bgr: bool = False

    def planes(self, picture):
        """The picture of height x width x RGB as one tensor of channels x height x width."""
        ordered = picture[..., ::-1] if self.is_bgr else picture
        return np.ascontiguousarray(ordered.transpose(2, 0, 1)[np.newaxis], np.float32)

    def tensor(self, picture):
        """The input of a network that does no preprocessing itself."""
        return self.planes(picture * np.float64(self.scale) + np.array(self.biases))


class Network:
    """Draws the weights of each layer and adds it to both twins; a layer is named as its result."""

    def __init__(self, side, preprocessing, seed):
        self.side, self.preprocessing = side, preprocessing
        self.random = np.random.default_rng(seed)
        self.core_ml, self.onnx = CoreMLTwin(side, preprocessing), ONNXTwin(side)
        self.channels = {"image": 3}

    def add(self, kind, channels, *arguments):
        name = f"{kind}{len(self.channels)}"
        for twin in (self.core_ml, self.onnx):
            getattr(twin, kind)(name, *arguments)
        self.channels[name] = channels
        return name

    def kernels(self, *shape):
        """Weights that keep the size of rectified inputs; their mean is zero, because it would outweigh the picture."""
        weights = self.random.normal(0, (GAIN / np.prod(shape[1:])) ** 0.5, shape)
        return (weights - weights.mean(axis=tuple(range(1, len(shape))), keepdims=True)).astype(np.float32)

    def numbers(self, count, low, high):
        return self.random.uniform(low, high, count).astype(np.float32)

    def convolution(self, source, count, kernel, stride=1, padding=0, groups=1, bias_size=0, size=1.0):
        """Padding: the zeros at all edges, "same", or "padded" for "same" as Keras has it in a layer of its own."""
        height, width = kernel if isinstance(kernel, tuple) else (kernel, kernel)
        weights = np.float32(size) * self.kernels(count, self.channels[source] // groups, height, width)
        bias = self.numbers(count, -bias_size, bias_size) if bias_size else None
        return self.add("convolution", count, source, weights, bias, stride, padding, groups)

    def depthwise(self, source, kernel, stride, padding):
        return self.convolution(source, self.channels[source], kernel, stride, padding, self.channels[source])

    def batch_normalization(self, source, epsilon, size=1.0):
        count = self.channels[source]
        gamma, beta = size * self.numbers(count, 0.75, 1.25), size * self.numbers(count, -0.25, 0.25)
        mean, variance = self.numbers(count, -0.25, 0.25), self.numbers(count, 0.75, 1.25)
        return self.add("batch_normalization", count, source, gamma, beta, mean, variance, epsilon)

    def relu(self, source):
        return self.add("relu", self.channels[source], source)

    def relu6(self, source):
        return self.add("relu6", self.channels[source], source)

    def maximum(self, source, kernel, stride, padding=0):
        """Padding: the borders at all edges, or "complete" for a last window that reaches over the edge."""
        return self.add("maximum", self.channels[source], source, kernel, stride, padding)

    def average(self, source, kernel):
        """Averages at each place, in which padding does not count."""
        return self.add("average", self.channels[source], source, kernel)

    def global_average(self, source):
        return self.add("global_average", self.channels[source], source)

    def total(self, first, second):
        return self.add("total", self.channels[first], first, second)

    def concatenation(self, *sources):
        return self.add("concatenation", sum(self.channels[source] for source in sources), sources)

    def product(self, source, count, size):
        """Size: the factor of the weights, which spreads the probabilities."""
        weights, bias = np.float32(size) * self.kernels(count, self.channels[source]), self.numbers(count, -0.1, 0.1)
        return self.add("product", count, source, weights, bias)

    def finish(self, source):
        """Adds the probabilities, and returns the network."""
        for twin in (self.core_ml, self.onnx):
            twin.finish(source, self.channels[source])
        return self
