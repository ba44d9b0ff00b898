#!/usr/bin/env python3
# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Scores pictures with open_nsfw, independently of the Swift code (Pillow, numpy, onnxruntime).

Preprocessing as the model documents it: RGB, stretched to 256x256 (antialiased bilinear), centre crop of 224x224,
BGR minus the mean of each channel, N x 224 x 224 x 3. The original also re-encodes the picture as JPEG; that is left
out. EXIF orientation and colour profiles are not applied: the conformance pictures have none.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import PIL
from PIL import Image

MODEL_SHA256 = "864bb37bf8863564b87eb330ab8c785a79a773f4e7c43cb96db52ed8611305fa"
MODEL_PLACES = [
    Path.home() / ".local/share/sensitive-content-analysis/models/open-nsfw/model.onnx",
    Path("/usr/local/share/sensitive-content-analysis/models/open-nsfw/model.onnx"),
]
SIDE = 224
STRETCHED_SIDE = 256
MEAN_BGR = np.array([104, 117, 123], np.float32)


class ConformanceError(Exception):
    """Something the person at the keyboard can put right; the message says how."""


def preprocess(image, resample=Image.Resampling.BILINEAR, stretched=STRETCHED_SIDE):
    """The picture as the model sees it before mean subtraction: uint8, 224 x 224 x 3, RGB."""
    margin = (stretched - SIDE) // 2
    image = image.convert("RGB").resize((stretched, stretched), resample)
    return np.asarray(image.crop((margin, margin, margin + SIDE, margin + SIDE)))


def tensor(crop):
    """Turns the uint8 RGB crop into the model's input: float32, 1 x 224 x 224 x 3, BGR, mean subtracted."""
    return (crop[..., ::-1].astype(np.float32) - MEAN_BGR)[np.newaxis]


# Each makes one mistake on purpose: a conformance test that does not notice it is worth nothing.
WRONG_PIPELINES = {
    "channels-swapped": lambda image: tensor(preprocess(image)[..., ::-1]),
    "mean-left-out": lambda image: preprocess(image)[np.newaxis, ..., ::-1].astype(np.float32),
    "nearest-neighbour": lambda image: tensor(preprocess(image, Image.Resampling.NEAREST)),
    "no-crop": lambda image: tensor(preprocess(image, stretched=SIDE)),
    "bicubic": lambda image: tensor(preprocess(image, Image.Resampling.BICUBIC)),
}


def load_model(path=None):
    """Opens the model after checking its hash; one thread, so that sums are always taken in the same order."""
    path = Path(path) if path else next((place for place in MODEL_PLACES if place.exists()), MODEL_PLACES[0])
    try:
        content = path.read_bytes()
    except OSError as error:
        message = f"Cannot read the model {path} ({error.strerror}); name it with --model PATH."
        raise ConformanceError(message) from error
    if hashlib.sha256(content).hexdigest() != MODEL_SHA256:
        raise ConformanceError(f"{path} is not the open_nsfw model that the references are for (SHA-256 differs).")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def score_tensor(model, values):
    """The model's score, 0...1, for one float32 tensor, 1 x 224 x 224 x 3."""
    return float(model.run(["outputs"], {"input:0": values})[0][0, 1])


def score(model, image):
    """The reference score of a Pillow image."""
    return score_tensor(model, tensor(preprocess(image)))


def write_references(path, pictures, every=1):
    """Writes the scored pictures as JSON, with what they were scored with; `every` as in make_pictures.py."""
    result = {
        "schema": 1,
        "every": every,
        "versions": {"pillow": PIL.__version__, "onnxruntime": onnxruntime.__version__, "numpy": np.__version__},
        "model": {"name": "open-nsfw", "sha256": MODEL_SHA256},
        "pictures": pictures,
    }
    path.write_text(json.dumps(result, indent=1) + "\n")


def run_command(main):
    """Calls `main`, and ends the process with one sentence instead of a traceback when the user can help."""
    try:
        sys.exit(main())
    except ConformanceError as error:
        sys.exit(f"{Path(sys.argv[0]).name}: {error}")


def main():
    parser = argparse.ArgumentParser(description="Score pictures with the reference implementation.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("score", help="print one JSON object a line, in input order")
    command.add_argument("--model", metavar="PATH", help="open-nsfw.onnx (default: the installed model)")
    command.add_argument("files", nargs="+", metavar="FILE")
    arguments = parser.parse_args()

    model = load_model(arguments.model)
    failed = False
    for file in arguments.files:
        try:
            with Image.open(file) as image:
                line = {"path": file, "width": image.width, "height": image.height, "score": score(model, image)}
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
            line, failed = {"path": file, "error": str(error)}, True
        print(json.dumps(line))
    return 2 if failed else 0


if __name__ == "__main__":
    run_command(main)
