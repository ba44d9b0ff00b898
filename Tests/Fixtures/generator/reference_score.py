# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""The reference score: open_nsfw by onnxruntime, with pixels made by Pillow."""

import hashlib
from pathlib import Path

import numpy as np
from PIL import Image

NAME = "open_nsfw (Yahoo), ONNX"
PIPELINE = ("Pillow: RGB, stretched to 256x256 with antialiased bilinear, centre crop 224; "
            "onnxruntime on the CPU: N x 224 x 224 x 3, BGR minus (104, 117, 123); output column 1")


class Scorer:
    """Scores pictures with the model file at `path`."""

    def __init__(self, path):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self.sha256 = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def scores(self, images):
        """One score an image, in order."""
        batch = np.stack([self._pixels(image) for image in images])
        return [float(s) for s in self._session.run(None, {self._session.get_inputs()[0].name: batch})[0][:, 1]]

    def score(self, image):
        return self.scores([image])[0]

    @staticmethod
    def _pixels(image):
        image = image.convert("RGB").resize((256, 256), Image.Resampling.BILINEAR).crop((16, 16, 240, 240))
        return np.asarray(image, np.float32)[:, :, ::-1] - np.array([104, 117, 123], np.float32)
