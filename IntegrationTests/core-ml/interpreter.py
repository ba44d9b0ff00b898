# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Computes neural networks of Core ML files by numpy, as the format describes them."""

import math

import numpy as np

from formulas import Formulas
from window_formulas import LARGEST_BLOB, NotKnown, require, wide

# The weights of red, green and blue in grey, by Recommendation ITU-R BT.601.
GREY = wide(np.array([0.299, 0.587, 0.114]))
GREYSCALE, RGB, BGR = 10, 20, 30


def exactly(values):
    """Keeps all digits of 64 bits."""
    return values


class Rounding:
    """Moves each number by the error of several roundings in 32 bits, which shows what such errors grow to."""

    def __init__(self, random):
        self.random = random

    def __call__(self, values):
        return values * (1 + 1e-6 * self.random.standard_normal(np.shape(values)))


class Interpreter:
    """A model with one input and one output."""

    def __init__(self, model):
        self.model = model
        # A network; or the networks of a pipeline, each of which gets what the earlier ones make.
        kind = model.WhichOneof("Type")
        pipeline = getattr(model, kind).pipeline if kind == "pipelineClassifier" else None
        if not pipeline and kind not in ("neuralNetworkClassifier", "neuralNetwork"):
            raise NotKnown(f"of the kind {kind}")
        self.models = list(pipeline.models) if pipeline else [model]

    def input_shape(self):
        """Returns channels, height and width of the tensor; a picture in grey is made from three channels."""
        require(len(self.model.description.input) == 1, "a model has one input")
        kind = self.model.description.input[0].type
        if kind.WhichOneof("Type") == "imageType":
            return [3, kind.imageType.height, kind.imageType.width]
        return array_shape(kind.multiArrayType, network_of(self.models[0]))

    def labels(self):
        network = network_of(self.models[-1])
        return list(getattr(network, network.WhichOneof("ClassLabels") or "stringClassLabels").vector)

    def probabilities(self, values, rounded=exactly):
        """Returns the probabilities of the labels for a tensor."""
        given = None
        with np.errstate(all="ignore"):
            for model in self.models:
                outputs, probabilities = self.features(model, values, given, rounded)
                given = {**(given or {}), **outputs}
        require(probabilities is not None, "a classifier has probabilities")
        return probabilities.ravel()

    def features(self, model, values, given, rounded):
        """Returns the outputs of a network by their names, and its probabilities if it is a classifier."""
        network, blobs = network_of(model), {}
        for feature in model.description.input:
            if given is None:
                require(not blobs, "a model has one input")
                blobs[feature.name] = preprocessed(feature, network, values, rounded)
            else:
                shape = array_shape(feature.type.multiArrayType, network)
                require(math.prod(shape) == given[feature.name].size, "the parts of a pipeline fit each other")
                blobs[feature.name] = given[feature.name].reshape(shape)
        for layer in network.layers:
            add_results(blobs, layer, rounded)
        is_array = {output.name: output.type.HasField("multiArrayType") for output in model.description.output}
        require(all(name in blobs for name in is_array if is_array[name]), "a layer makes each output")
        outputs = {name: blobs[name] for name in is_array if is_array[name]}
        return outputs, probabilities_among(blobs, network) if hasattr(network, "labelProbabilityLayerName") else None


def network_of(model):
    return getattr(model, model.WhichOneof("Type"))


def array_shape(kind, network):
    shape = list(kind.shape)
    if network.arrayInputShapeMapping == 1:
        require(len(shape) == 4 and shape.pop(0) == 1, "an exact shape has a batch of one")
    require(len(shape) in (1, 3), "an array has one or three dimensions")
    return shape + [1] * (3 - len(shape))


def preprocessed(feature, network, values, rounded):
    """Returns the first blob, from the tensor of three channels or of an array."""
    if feature.type.WhichOneof("Type") != "imageType":
        require(not network.preprocessing, "preprocessing is for images")
        return values
    space = feature.type.imageType.colorSpace
    blob = (values * GREY).sum(axis=0, keepdims=True) if space == GREYSCALE else values
    for step in network.preprocessing:
        require(step.featureName in ("", feature.name), "preprocessing is for an input")
        scaler = step.scaler
        if step.HasField("scaler"):
            colours = [scaler.redBias, scaler.greenBias, scaler.blueBias]
            biases = {GREYSCALE: [scaler.grayBias], RGB: colours, BGR: colours[::-1]}[space]
            blob = rounded(scaler.channelScale * blob) + wide(np.array(biases))
        else:
            require(step.HasField("meanImage"), "a step has a kind")
            blob = blob - np.array(step.meanImage.meanImage).reshape(blob.shape)
        blob = rounded(blob)
    return blob


def add_results(blobs, layer, rounded):
    """Computes one layer."""
    require(all(name in blobs for name in layer.input), "a layer follows those that it needs")

    def numbers(message, shape, axis=None):
        return weights(message, shape, axis, rounded)

    results = Formulas(numbers, rounded).compute(layer)([blobs[name] for name in layer.input])
    require(len(results) == len(layer.output), "each result has a name")
    for name, result in zip(layer.output, results):
        require(name not in blobs, "a value is made once")
        require(result.ndim == 3 and result.size, "a result has three dimensions")
        if result.size > LARGEST_BLOB:
            raise NotKnown("with a large layer")
        # Squares of larger numbers need more than 32 bits.
        if np.abs(result).max() > 1e15:
            raise NotKnown("with large numbers")
        blobs[name] = rounded(result)


def probabilities_among(blobs, network):
    """Returns the blob of the labels: by its name, else of the layer with this name, else of the last layer."""
    name = network.labelProbabilityLayerName
    if name and name in blobs:
        return blobs[name]
    layers = [layer for layer in network.layers if not name or layer.name == name]
    require(layers and layers[-1].output, "a layer makes the probabilities")
    return blobs[layers[-1].output[0]]


def weights(message, shape, axis, rounded):
    """Returns numbers in any encoding; linear scales may be one for each place of the axis."""
    count = math.prod(shape)
    encodings = [bool(message.floatValue), bool(message.float16Value), bool(message.rawValue)]
    require(encodings.count(True) == 1 and not message.int8RawValue, "weights have one encoding")
    if message.floatValue:
        values = np.array(message.floatValue)
    elif message.float16Value:
        values = np.frombuffer(message.float16Value, "<f2").astype(np.float64)
    else:
        values = dequantised(message, shape, axis, rounded)
    require(values.size == count, "weights have the length of their shape")
    return values.reshape(shape)


def dequantised(message, shape, axis, rounded):
    bits, count = message.quantization.numberOfBits, math.prod(shape)
    require(1 <= bits <= 8 and len(message.rawValue) == math.ceil(count * bits / 8), "weights have all their bits")
    places = np.unpackbits(np.frombuffer(message.rawValue, np.uint8))[:count * bits].reshape(count, bits)
    indices = (places @ (1 << np.arange(bits)[::-1])).reshape(shape)
    if message.quantization.HasField("lookupTableQuantization"):
        table = np.array(message.quantization.lookupTableQuantization.floatValue)
        require(table.size == 1 << bits, "a table has an entry for each index")
        return table[indices]
    require(message.quantization.HasField("linearQuantization"), "a quantisation has a kind")
    line = message.quantization.linearQuantization
    scale, bias = (spread(values, shape, axis) for values in (line.scale, line.bias or [0]))
    return rounded(indices * scale) + bias


def spread(values, shape, axis):
    """Returns the numbers of a quantisation in the shape that numpy applies to the axis."""
    require(len(values) == 1 or axis is not None and len(values) == shape[axis], "there is a scale for each channel")
    return np.array(values).reshape([len(values) if place == axis else 1 for place in range(len(shape))])
