# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Compares converted classifiers with ONNX files of the same random weights: check_architectures.py PROBE FOLDER"""

import itertools
import pathlib
import subprocess
import sys

import numpy as np

from architectures import ARCHITECTURES
from runtimes import RUNTIMES, onnx_runtime

PICTURES, LIMIT = 3, 1e-5
# Highest probabilities outside of these, and probabilities that hardly differ between pictures, would hide faults.
LEAST, MOST, APART = 0.002, 0.9, 0.001


def pictures(side):
    """Pictures of patches in random colours, with noise."""
    random = np.random.default_rng(side)
    for _ in range(PICTURES):
        patches = random.integers(0, 256, (6, 6, 3)).repeat(side // 6 + 1, axis=0).repeat(side // 6 + 1, axis=1)
        noise = random.integers(-32, 33, (side, side, 3))
        yield np.clip(patches[:side, :side] + noise, 0, 255).astype(np.uint8)


def probabilities(run, inputs):
    return np.array([run(values).ravel() for values in inputs])


def fault_of(expected):
    """Returns why the probabilities would hide a wrong conversion, or nothing."""
    highest = expected.max(axis=1)
    # Written so that a NaN is a fault.
    if not (highest.min() >= LEAST and highest.max() <= MOST):
        return f"the highest probabilities are not between {LEAST} and {MOST}"
    apart = min(np.abs(one - other).max() for one, other in itertools.combinations(expected, 2))
    return None if apart >= APART else f"the pictures' probabilities differ by {apart:.2g} only"


def differences(net, file, expected, images):
    """Returns the largest difference of each runtime."""
    found = {}
    for runtime, load in RUNTIMES.items():
        result = probabilities(load(file.read_bytes()), [net.preprocessing.planes(image) for image in images])
        found[runtime] = np.abs(result - expected).max() if result.shape == expected.shape else np.inf
    return found


def check(name, net, file):
    """Prints the line of one architecture, and returns whether its conversion is right."""
    # Without optimization, ONNX Runtime does not fuse the same layers in the reference as in the converted file.
    reference = onnx_runtime(net.onnx.content, is_optimized=False)
    images = list(pictures(net.side))
    expected = probabilities(reference, [net.preprocessing.tensor(image) for image in images])
    found, fault, highest = differences(net, file, expected, images), fault_of(expected), expected.max(axis=1)
    shown = ", ".join(f"{difference:.2g} in {runtime}" for runtime, difference in found.items())
    print(f"{name}: {net.core_ml.layer_count()} layers, largest difference {shown}; "
          f"highest probabilities {highest.min():.2g} to {highest.max():.2g}")
    if fault:
        print(f"{name}: {fault}")
    return not fault and all(difference <= LIMIT for difference in found.values())


def main():
    probe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    nets = {name: make() for name, make in ARCHITECTURES.items()}
    for name, net in nets.items():
        (folder / f"{name}.mlmodel").write_bytes(net.core_ml.spec.SerializeToString())
    subprocess.run([probe, str(folder)], check=True)
    for refusal in folder.glob("*.txt"):
        sys.exit(f"{refusal.stem}: {refusal.read_text()}")
    results = [check(name, net, folder / f"{name}.onnx") for name, net in nets.items()]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
