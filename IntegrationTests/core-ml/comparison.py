# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Converts models, and compares the results of both runtimes with expected numbers."""

import subprocess

import numpy as np

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
        # Written so that a NaN is a fault.
        if not found <= case.tolerance:
            yield f"{case.name}: off by {found:.3g} in {runtime}"


def exit_code(probe, folder, cases, kind):
    """Converts the models that lie in a folder, prints each fault, and returns 1 if there is one.

    A case has a name, which is that of its model's file, the numbers of one input, the expected ones, and a tolerance.
    """
    subprocess.run([probe, str(folder)], check=True)
    largest = dict.fromkeys(RUNTIMES, 0.0)
    faults = [fault for case in cases for fault in faults_of(case, folder, largest)]
    for fault in faults:
        print(fault)
    shown = ", ".join(f"{number:.2g} in {runtime}" for runtime, number in largest.items())
    print(f"{len(cases)} {kind}: largest difference {shown}; {len(faults)} faults")
    return 1 if faults else 0
