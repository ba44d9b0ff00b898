# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Core ML files, made by coremltools, that compute the same as open_nsfw's ONNX file."""

import contextlib
import copy
import os

import coremltools
import onnx
from coremltools.models import datatypes
from coremltools.models.neural_network import NeuralNetworkBuilder, quantization_utils
from coremltools.models.utils import _convert_neural_network_spec_weights_to_fp16
from onnx import helper, numpy_helper

# The order of the model's columns.
LABELS = ["SFW", "NSFW"]
# The model's means, as what is added to each channel.
BIASES = {"blue_bias": -104, "green_bias": -117, "red_bias": -123}


class Mirror:
    """The layers of an ONNX graph, added to a builder one after the other."""

    def __init__(self, path):
        self.graph = onnx.load(path).graph
        self.constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in self.graph.initializer}
        self.builder = NeuralNetworkBuilder(
            [("image", datatypes.Array(3, 224, 224))], [("probabilities", datatypes.Array(2))], mode="classifier")
        # Values that only change the order of dimensions, which Core ML has fixed.
        self.aliases = {self.graph.input[0].name: "image"}

    def name(self, value):
        while value in self.aliases:
            value = self.aliases[value]
        return value

    def spec(self):
        """The model, as float32."""
        for node in self.graph.node:
            self.add(node)
        self.builder.set_class_labels(LABELS, prediction_blob=self.name(self.graph.output[0].name))
        self.builder.set_pre_processing_parameters(
            image_input_names=["image"], is_bgr={"image": True}, image_scale={"image": 1.0},
            **{name: {"image": bias} for name, bias in BIASES.items()})
        return self.builder.spec

    def add(self, node):
        attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
        source, output = self.name(node.input[0]), node.output[0]
        builder = self.builder
        match node.op_type:
            case "Transpose" | "Reshape":
                self.aliases[output] = node.input[0]
            case "Conv":
                weights, bias = (self.constants[name] for name in node.input[1:3])
                count, channels, height, width = weights.shape
                top, left, bottom, right = attributes.get("pads", [0, 0, 0, 0])
                builder.add_convolution(
                    output, channels, count, height, width, *attributes["strides"], "valid", 1,
                    weights.transpose(2, 3, 1, 0), bias, True, input_name=source, output_name=output, padding_top=top,
                    padding_left=left, padding_bottom=bottom, padding_right=right)
            case "Relu":
                builder.add_activation(output, "RELU", source, output)
            case "Add" if node.input[1] in self.constants:
                bias = self.constants[node.input[1]]
                builder.add_bias(output, bias, source, output, shape_bias=[bias.size])
            case "Add":
                builder.add_elementwise(output, [self.name(name) for name in node.input], output, "ADD")
            case "MaxPool":
                builder.add_pooling(
                    output, *attributes["kernel_shape"], *attributes["strides"], "MAX", "INCLUDE_LAST_PIXEL", source,
                    output)
            case "AveragePool":
                builder.add_pooling(
                    output, *attributes["kernel_shape"], *attributes["strides"], "AVERAGE", "VALID", source, output)
            case "MatMul":
                weights = self.constants[node.input[1]].T
                builder.add_inner_product(
                    output, weights, None, weights.shape[1], weights.shape[0], False, source, output)
            case "Softmax":
                builder.add_softmax(output, source, output)
            case kind:
                raise SystemExit(f"The model has an operator that is not mirrored: {kind}")


QUANTISED = {
    "linear-8": (8, coremltools.models._QUANTIZATION_MODE_LINEAR_QUANTIZATION),
    "symmetric-8": (8, coremltools.models._QUANTIZATION_MODE_LINEAR_SYMMETRIC),
    "table-8": (8, coremltools.models._QUANTIZATION_MODE_LOOKUP_TABLE_LINEAR),
    "linear-5": (5, coremltools.models._QUANTIZATION_MODE_LINEAR_QUANTIZATION),
    "table-4": (4, coremltools.models._QUANTIZATION_MODE_LOOKUP_TABLE_LINEAR),
}


def specs(path):
    """All models by name, and for a quantised model also that of the weights that coremltools dequantises."""
    spec = Mirror(path).spec()
    models = {"float32": spec}
    with open(os.devnull, "w") as silence, contextlib.redirect_stdout(silence):
        models["float16"] = _convert_neural_network_spec_weights_to_fp16(copy.deepcopy(spec))
        for name, (bits, mode) in QUANTISED.items():
            models[name] = quantization_utils._quantize_spec_weights(copy.deepcopy(spec), bits, mode)
            restored = copy.deepcopy(models[name])
            quantization_utils._dequantize_nn_spec(restored.neuralNetworkClassifier)
            models[f"{name}-restored"] = restored
    return models
