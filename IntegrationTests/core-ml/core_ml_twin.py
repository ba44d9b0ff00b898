# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Layers of a Core ML classifier, added by coremltools's builder."""

from coremltools.models import datatypes
from coremltools.models.neural_network import NeuralNetworkBuilder


class CoreMLTwin:
    """The builder of the file; spec is the file's message."""

    def __init__(self, side, preprocessing):
        self.preprocessing = preprocessing
        self.builder = NeuralNetworkBuilder(
            [("image", datatypes.Array(3, side, side))], [("probabilities", datatypes.Array(1000))], mode="classifier")
        self.spec = self.builder.spec

    def layer_count(self):
        return len(self.spec.neuralNetworkClassifier.layers)

    def convolution(self, name, source, weights, bias, stride, padding, groups):
        count, channels, height, width = weights.shape
        if padding == "padded":
            self.builder.add_padding(f"{name}-padding", 0, 1, 0, 1, 0, source, f"{name}-padding")
            source, padding = f"{name}-padding", 0
        mode, border = ("same", 0) if padding == "same" else ("valid", padding)
        self.builder.add_convolution(
            name, channels, count, height, width, stride, stride, mode, groups, weights.transpose(2, 3, 1, 0), bias,
            bias is not None, input_name=source, output_name=name, padding_top=border, padding_bottom=border,
            padding_left=border, padding_right=border)

    def batch_normalization(self, name, source, gamma, beta, mean, variance, epsilon):
        self.builder.add_batchnorm(name, len(gamma), gamma, beta, mean, variance, source, name, epsilon=epsilon)

    def relu(self, name, source):
        self.builder.add_activation(name, "RELU", source, name)

    def relu6(self, name, source):
        # Core ML has a lower limit only. Source: relu6 in the TensorFlow converter of coremltools 4.
        self.relu(f"{name}-rectified", source)
        self.builder.add_activation(f"{name}-negated", "LINEAR", f"{name}-rectified", f"{name}-negated", [-1, 0])
        self.builder.add_unary(f"{name}-limited", f"{name}-negated", f"{name}-limited", "threshold", alpha=-6)
        self.builder.add_activation(name, "LINEAR", f"{name}-limited", name, [-1, 0])

    def maximum(self, name, source, kernel, stride, padding):
        mode, border = ("INCLUDE_LAST_PIXEL", 0) if padding == "complete" else ("VALID", padding)
        self.builder.add_pooling(
            name, kernel, kernel, stride, stride, "MAX", mode, source, name, padding_top=border,
            padding_bottom=border, padding_left=border, padding_right=border)

    def average(self, name, source, kernel):
        self.builder.add_pooling(
            name, kernel, kernel, 1, 1, "AVERAGE", "SAME", source, name, exclude_pad_area=True)

    def global_average(self, name, source):
        self.builder.add_pooling(name, 1, 1, 1, 1, "AVERAGE", "VALID", source, name, is_global=True)

    def total(self, name, first, second):
        self.builder.add_elementwise(name, [first, second], name, "ADD")

    def concatenation(self, name, sources):
        self.builder.add_elementwise(name, list(sources), name, "CONCAT")

    def product(self, name, source, weights, bias):
        self.builder.add_flatten(f"{name}-flat", 0, source, f"{name}-flat")
        self.builder.add_inner_product(name, weights, bias, *weights.shape[::-1], True, f"{name}-flat", name)

    def finish(self, source, count):
        self.builder.add_softmax("probabilities", source, "probabilities")
        self.builder.set_class_labels([f"label {number}" for number in range(count)], prediction_blob="probabilities")
        biases = dict(zip(("red_bias", "green_bias", "blue_bias"), self.preprocessing.biases))
        self.builder.set_pre_processing_parameters(
            image_input_names=["image"], is_bgr={"image": self.preprocessing.is_bgr},
            image_scale={"image": self.preprocessing.scale}, **{key: {"image": bias} for key, bias in biases.items()})
