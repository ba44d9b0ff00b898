# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Runs ONNX files of one input and one output: in ONNX Runtime, and in OpenVINO as the product does."""

import sys

import onnxruntime

# The import of openvino sends a report to Google Analytics if it finds this package.
sys.modules["openvino_telemetry"] = None

import openvino  # noqa: E402

CORE = openvino.Core()
# Two of the product's properties. The others are numbers of threads.
CORE.set_property("CPU", {"INFERENCE_PRECISION_HINT": "f32", "NUM_STREAMS": "1"})


def onnx_runtime(content, is_optimized=True):
    """Returns a function from the input to the output."""
    options = onnxruntime.SessionOptions()
    if not is_optimized:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda values: session.run(None, {name: values})[0]


def open_vino(content):
    """Returns a function from the input to the output."""
    model = CORE.compile_model(CORE.read_model(content), "CPU")
    return lambda values: model([values])[0]


RUNTIMES = {"ONNX Runtime": onnx_runtime, "OpenVINO": open_vino}
