# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Converts models of one layer, and compares the results of both runtimes with numpy's: check_layers.py PROBE FOLDER"""

import pathlib
import subprocess
import sys

import numpy as np

from layers import all_cases
from runtimes import RUNTIMES


def difference(run, case):
    """Returns the largest difference from the expected numbers, or infinity if their count differs."""
    result = run(case.inputs.reshape(1, *case.inputs.shape))
    if result.size != case.expected.size:
        return np.inf
    expected = case.expected.ravel()
    # Sums of large numbers are compared by their size.
    return np.abs(result.ravel() - expected).max() / max(1, np.abs(expected).max())


def faults_of(case, folder, largest):
    """Yields what is wrong with one model, and keeps the largest difference of each runtime."""
    file = folder / f"{case.name}.onnx"
    if not file.exists():
        yield f"{case.name}: {(folder / f'{case.name}.txt').read_text()}"
        return
    for runtime, load in RUNTIMES.items():
        found = difference(load(file.read_bytes()), case)
        largest[runtime] = np.maximum(largest[runtime], found)
        if not found <= case.tolerance:
            yield f"{case.name}: off by {found:.3g} in {runtime}"


def main():
    probe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    cases = all_cases()
    for case in cases:
        (folder / f"{case.name}.mlmodel").write_bytes(case.spec.SerializeToString())
    subprocess.run([probe, str(folder)], check=True)
    largest = dict.fromkeys(RUNTIMES, 0.0)
    faults = [fault for case in cases for fault in faults_of(case, folder, largest)]
    for fault in faults:
        print(fault)
    shown = ", ".join(f"{number:.2g} in {runtime}" for runtime, number in largest.items())
    print(f"{len(cases)} models of one layer: largest difference {shown}; {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
