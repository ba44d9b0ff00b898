# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Small classifiers with random numbers and sizes, as messages of a Core ML file."""

import math

import numpy as np
from coremltools.proto import Model_pb2

LABELS = ["NSFW", "SFW", "other"]


def describe(model, random):
    """Adds the description of a classifier of pictures, and returns their width and height."""
    model.specificationVersion = 1
    picture = model.description.input.add(name="picture")
    image = picture.type.imageType
    image.width, image.height = (int(n) for n in random.integers(6, 10, 2))
    image.colorSpace = random.choice([10, 20, 30], p=[0.2, 0.4, 0.4])
    scores = model.description.output.add(name="scores")
    scores.type.dictionaryType.stringKeyType.SetInParent()
    model.description.output.add(name="label").type.stringType.SetInParent()
    model.description.predictedFeatureName, model.description.predictedProbabilitiesName = "label", "scores"
    return image


class Layers:
    """Adds layers to a network, each to the result of the one before."""

    def __init__(self, network, random, source, channels):
        self.network, self.random, self.source, self.channels = network, random, source, channels

    def numbers(self, message, count, size=1.0, axis_length=None):
        """Sets weights in a random encoding; linear scales only where they may be one for each channel."""
        values = self.random.uniform(-size, size, count)
        kind = self.random.choice(["floats", "halves", "table", "line"]) if axis_length else "floats"
        if kind == "floats":
            message.floatValue.extend(values)
        elif kind == "halves":
            message.float16Value = values.astype("<f2").tobytes()
        else:
            bits = int(self.random.choice([3, 8]))
            message.rawValue = self.random.bytes(math.ceil(count * bits / 8))
            message.quantization.numberOfBits = bits
            if kind == "table":
                table = self.random.uniform(-size, size, 1 << bits)
                message.quantization.lookupTableQuantization.floatValue.extend(table)
                return
            scales = self.random.uniform(0.5, 1, self.random.choice([1, axis_length])) * 2 * size / (1 << bits)
            message.quantization.linearQuantization.scale.extend(scales)
            message.quantization.linearQuantization.bias.extend(-scales * (1 << bits) / 2)

    def add(self, name, result):
        layer = self.network.layers.add(name=name, input=[self.source], output=[result])
        self.source = result
        return layer

    def convolution(self):
        layer = self.add("convolve", "edges").convolution
        groups = int(self.random.choice([g for g in (1, 3) if self.channels % g == 0]))
        layer.outputChannels = int(self.random.choice([3, 6] if groups == 3 else [2, 4, 6]))
        layer.isDeconvolution = bool(self.random.random() < 0.2)
        layer.nGroups = groups
        layer.kernelChannels = self.channels if layer.isDeconvolution else self.channels // groups
        layer.kernelSize.extend(self.random.integers(1, 4, 2))
        layer.stride.extend(self.random.integers(1, 3, 2))
        if not layer.isDeconvolution:
            layer.dilationFactor.extend(self.random.integers(1, 3, 2))
        if self.random.random() < 0.5:
            layer.same.asymmetryMode = int(self.random.integers(0, 2))
        else:
            for _ in range(2):
                edge = layer.valid.paddingAmounts.borderAmounts.add()
                edge.startEdgeSize, edge.endEdgeSize = self.random.integers(0, 2, 2)
        # The length of the axis of the output channels.
        length = layer.outputChannels // groups if layer.isDeconvolution else layer.outputChannels
        self.numbers(layer.weights, math.prod(layer.kernelSize) * layer.kernelChannels * length, 0.5, length)
        layer.hasBias = True
        self.numbers(layer.bias, layer.outputChannels)
        self.channels = layer.outputChannels

    def normalization(self):
        layer = self.add("normalise", "normal").batchnorm
        layer.channels, layer.epsilon = self.channels, 1e-3
        for message in (layer.gamma, layer.beta, layer.mean):
            self.numbers(message, self.channels)
        layer.variance.floatValue.extend(self.random.uniform(0.2, 1, self.channels))

    def activation(self):
        layer = self.add("activate", "active").activation
        if self.random.random() < 0.7:
            layer.ReLU.SetInParent()
        else:
            layer.leakyReLU.alpha = 0.2

    def pooling(self):
        layer = self.add("pool", "pooled").pooling
        layer.type = int(self.random.integers(0, 2))
        layer.kernelSize.extend(self.random.integers(1, 3, 2))
        layer.stride.extend(self.random.integers(1, 3, 2))
        layer.avgPoolExcludePadding = bool(self.random.random() < 0.5)
        if self.random.random() < 0.5:
            layer.same.SetInParent()
        else:
            layer.includeLastPixel.paddingAmounts.extend([0, 0])

    def means(self):
        layer = self.add("average", "means").pooling
        layer.type, layer.globalPooling = 1, True
        layer.valid.SetInParent()

    def product(self, count):
        layer = self.add("product", "logits").innerProduct
        layer.inputChannels, layer.outputChannels, layer.hasBias = self.channels, count, True
        self.numbers(layer.weights, self.channels * count, 2, count)
        self.numbers(layer.bias, count)

    def softmax(self):
        self.add("softmax", "probabilities").softmax.SetInParent()


def preprocess(network, random, image):
    step = network.preprocessing.add(featureName="picture")
    step.scaler.channelScale = random.choice([1 / 255, 1 / 64])
    for name in ("redBias", "greenBias", "blueBias", "grayBias"):
        setattr(step.scaler, name, random.uniform(-0.5, 0.5))
    if random.random() < 0.3:
        count = image.width * image.height * (1 if image.colorSpace == 10 else 3)
        network.preprocessing.add(featureName="picture").meanImage.meanImage.extend(random.uniform(0, 1, count))


def finish(network, layers, random):
    """Adds what each classifier ends with."""
    count = int(random.integers(2, 4))
    layers.means()
    layers.product(count)
    layers.softmax()
    network.stringClassLabels.vector.extend(random.permutation(LABELS)[:count])
    network.labelProbabilityLayerName = "probabilities"


def plain(random):
    """Averages of the colours, and a product."""
    model = Model_pb2.Model()
    image = describe(model, random)
    network = model.neuralNetworkClassifier
    preprocess(network, random, image)
    finish(network, Layers(network, random, "picture", 1 if image.colorSpace == 10 else 3), random)
    return model


def convolutional(random):
    """As the plain one, after a convolution and its usual companions."""
    model = Model_pb2.Model()
    image = describe(model, random)
    network = model.neuralNetworkClassifier
    preprocess(network, random, image)
    layers = Layers(network, random, "picture", 1 if image.colorSpace == 10 else 3)
    steps = [layers.normalization, layers.activation, layers.pooling]
    layers.convolution()
    for place in random.permutation(3)[:random.integers(1, 4)]:
        steps[place]()
    finish(network, layers, random)
    return model


def pipeline(random):
    """A network that convolves, and a classifier of its result."""
    model = Model_pb2.Model()
    image = describe(model, random)
    parts = model.pipelineClassifier.pipeline
    first, second = parts.models.add(specificationVersion=1), parts.models.add(specificationVersion=1)
    first.description.input.add().CopyFrom(model.description.input[0])
    preprocess(first.neuralNetwork, random, image)
    layers = Layers(first.neuralNetwork, random, "picture", 1 if image.colorSpace == 10 else 3)
    layers.convolution()
    layers.means()
    first.description.output.add(name="means").type.multiArrayType.dataType = 65568
    array = second.description.input.add(name="means").type.multiArrayType
    array.shape.append(layers.channels)
    array.dataType = 65568
    second.description.output.extend(model.description.output)
    second.description.predictedFeatureName, second.description.predictedProbabilitiesName = "label", "scores"
    network = second.neuralNetworkClassifier
    layers = Layers(network, random, "means", layers.channels)
    layers.product(2)
    layers.softmax()
    network.stringClassLabels.vector.extend(LABELS[:2])
    network.labelProbabilityLayerName = "probabilities"
    return model


CLASSIFIERS = [plain, convolutional, convolutional, convolutional, pipeline]


def classifier(random: np.random.Generator):
    """Returns one of them."""
    return CLASSIFIERS[random.integers(0, len(CLASSIFIERS))](random)
