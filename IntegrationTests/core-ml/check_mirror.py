# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Compares converted models with open_nsfw's ONNX file: check_mirror.py PROBE FOLDER MODEL TENSORS

TENSORS is the folder of the conformance pictures as 224 x 224 RGB bytes. Of these and of mixtures of them, 120 are taken
whose scores spread over 0 to 1.
"""

import pathlib
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

from mirror import BIASES, QUANTISED, specs

MEAN_BGR = np.array([-BIASES["blue_bias"], -BIASES["green_bias"], -BIASES["red_bias"]], np.float32)
PICTURES, BINS, PARENTS = 120, 10, 12


def session(content):
    return onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])


def original_score(model, picture):
    values = (picture[..., ::-1].astype(np.float32) - MEAN_BGR)[np.newaxis]
    return float(model.run(["outputs"], {"input:0": values})[0][0, 1])


def converted_score(model, picture):
    values = picture[..., ::-1].astype(np.float32).transpose(2, 0, 1)[np.newaxis]
    return float(model.run(["probabilities"], {"image": np.ascontiguousarray(values)})[0][0, 1])


def spread_pictures(model, folder):
    """Pictures of all scores: the same number from each tenth of the range, as far as they are found."""
    originals = [np.fromfile(file, np.uint8).reshape(224, 224, 3) for file in sorted(folder.glob("*.rgb"))]
    scored = [(original_score(model, picture), picture) for picture in originals]
    bins = [[] for _ in range(BINS)]
    # Mixtures of the pictures with the highest scores replace these, so that higher scores are found.
    parents = sorted(scored, key=lambda entry: -entry[0])[:PARENTS]
    random = np.random.default_rng(120)
    for attempt in range(6000):
        if attempt < len(scored):
            score, picture = scored[attempt]
        else:
            first, second = (parents[int(random.integers(0, PARENTS))][1] for _ in range(2))
            share = random.uniform(0, 1)
            mixed = first * share + (second if random.random() < 0.5 else second[:, ::-1]) * (1 - share)
            picture = np.clip(mixed * random.uniform(0.8, 1.25) + random.uniform(-20, 20, 3), 0, 255).astype(np.uint8)
            score = original_score(model, picture)
        place = min(BINS - 1, int(score * BINS))
        if len(bins[place]) < PICTURES // BINS:
            bins[place].append((picture, score))
        if attempt >= len(scored) and score > parents[-1][0]:
            parents = sorted([*parents, (score, picture)], key=lambda entry: -entry[0])[:PARENTS]
        if all(len(found) == PICTURES // BINS for found in bins):
            break
    print("pictures in each tenth of the scores:", [len(found) for found in bins])
    return [entry for found in bins for entry in found]


def rounded_to_halves(path):
    """The ONNX file with weights of 16 bits, which are computed with in 32 bits."""
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32:
            halves = values.astype(np.float16).astype(np.float32)
            tensor.CopyFrom(numpy_helper.from_array(halves, tensor.name))
    return model.SerializeToString()


def main():
    probe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    model_path, tensors = pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    for name, spec in specs(model_path).items():
        (folder / f"{name}.mlmodel").write_bytes(spec.SerializeToString())
    subprocess.run([probe, str(folder)], check=True)
    for refusal in folder.glob("*.txt"):
        sys.exit(f"{refusal.stem}: {refusal.read_text()}")
    original = session(model_path.read_bytes())
    pictures = spread_pictures(original, tensors)
    if len(pictures) < PICTURES:
        sys.exit(f"only {len(pictures)} pictures were found")
    scores = {}
    for file in sorted(folder.glob("*.onnx")):
        model = session(file.read_bytes())
        scores[file.stem] = np.array([converted_score(model, picture) for picture, _ in pictures])
    expected = np.array([score for _, score in pictures])
    # Weights of 16 bits are not those of the ONNX file, so its weights are rounded as well.
    halves = session(rounded_to_halves(model_path))
    rounded = np.array([original_score(halves, picture) for picture, _ in pictures])
    limits = {"float32": (expected, 1e-5), "float16": (rounded, 1e-5)}
    limits |= {name: (scores[f"{name}-restored"], 1e-4) for name in QUANTISED}
    faults = 0
    for name, (reference, limit) in limits.items():
        difference = np.abs(scores[name] - reference).max()
        from_original = np.abs(scores[name] - expected).max()
        print(f"{name}: largest difference {difference:.2g}, allowed {limit:g}; from the ONNX {from_original:.2g}")
        if name == "float16":
            tenths = np.abs(scores[name] - expected).reshape(BINS, -1).max(axis=1)
            print(f"float16 from the ONNX, for each tenth: {[float(f'{value:.1g}') for value in tenths]}")
        faults += not difference <= limit
    sys.exit(1 if faults else 0)


main()
