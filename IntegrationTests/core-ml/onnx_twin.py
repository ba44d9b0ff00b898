# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Layers of an ONNX graph, which leaves the places of "same" windows to the runtime and does no preprocessing."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper


class ONNXTwin:
    """The nodes and constants of the graph; content is the finished file."""

    def __init__(self, side):
        self.side, self.nodes, self.constants, self.content = side, [], [], None

    def node(self, kind, inputs, name, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))

    def constant(self, name, numbers):
        self.constants.append(numpy_helper.from_array(np.asarray(numbers, np.float32), name))
        return name

    def convolution(self, name, source, weights, bias, stride, padding, groups):
        inputs = [source, self.constant(f"{name}-weights", weights)]
        if bias is not None:
            inputs.append(self.constant(f"{name}-bias", bias))
        places = {"auto_pad": "SAME_UPPER"} if padding in ("same", "padded") else {"pads": [padding] * 4}
        self.node("Conv", inputs, name, strides=[stride, stride], group=groups, **places)

    def batch_normalization(self, name, source, gamma, beta, mean, variance, epsilon):
        numbers = {"gamma": gamma, "beta": beta, "mean": mean, "variance": variance}
        inputs = [self.constant(f"{name}-{key}", values) for key, values in numbers.items()]
        self.node("BatchNormalization", [source, *inputs], name, epsilon=epsilon)

    def relu(self, name, source):
        self.node("Relu", [source], name)

    def relu6(self, name, source):
        limits = [self.constant(f"{name}-least", 0), self.constant(f"{name}-most", 6)]
        self.node("Clip", [source, *limits], name)

    def maximum(self, name, source, kernel, stride, padding):
        places = {"ceil_mode": 1} if padding == "complete" else {"pads": [padding] * 4}
        self.node("MaxPool", [source], name, kernel_shape=[kernel, kernel], strides=[stride, stride], **places)

    def average(self, name, source, kernel):
        self.node("AveragePool", [source], name, kernel_shape=[kernel, kernel], auto_pad="SAME_UPPER")

    def global_average(self, name, source):
        self.node("GlobalAveragePool", [source], name)

    def total(self, name, first, second):
        self.node("Add", [first, second], name)

    def concatenation(self, name, sources):
        self.node("Concat", sources, name, axis=1)

    def product(self, name, source, weights, bias):
        self.node("Flatten", [source], f"{name}-flat")
        inputs = [f"{name}-flat", self.constant(f"{name}-weights", weights), self.constant(f"{name}-bias", bias)]
        self.node("Gemm", inputs, name, transB=1)

    def finish(self, source, count):
        self.node("Flatten", [source], "logits")
        self.node("Softmax", ["logits"], "probabilities", axis=1)
        shapes = {"image": [1, 3, self.side, self.side], "probabilities": [1, count]}
        ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
        graph = helper.make_graph(self.nodes, "reference", ends[:1], ends[1:], self.constants)
        model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)])
        self.content = model.SerializeToString()
