# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Converts ML programs of a few operations, and compares the results of both runtimes with numpy's.

    check_programs.py PROBE FOLDER
"""

import pathlib
import subprocess
import sys

import numpy as np

from programs import RANDOM, SHAPE, all_programs
from runtimes import RUNTIMES

LIMIT = 1e-5


def main():
    probe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    programs = all_programs()
    for program in programs:
        program.package().save(str(folder / f"{program.name}.mlpackage"))
    subprocess.run([probe, str(folder)], check=True)
    inputs = RANDOM.uniform(-2, 2, SHAPE).astype(np.float32)
    largest, faults = dict.fromkeys(RUNTIMES, 0.0), []
    for program in programs:
        file = folder / f"{program.name}.onnx"
        if not file.exists():
            faults.append(f"{program.name}: {(folder / f'{program.name}.txt').read_text()}")
            continue
        expected = np.asarray(program.expected(inputs.astype(np.float64))).ravel()
        for runtime, load in RUNTIMES.items():
            result = load(file.read_bytes())(inputs).ravel()
            # Large numbers are compared by their size. A NaN is a fault.
            found = np.abs(result - expected).max() / max(1, np.abs(expected).max()) if result.shape == expected.shape else np.inf
            largest[runtime] = np.maximum(largest[runtime], found)
            if not found <= LIMIT:
                faults.append(f"{program.name}: off by {found:.3g} in {runtime}")
    for fault in faults:
        print(fault)
    shown = ", ".join(f"{number:.2g} in {runtime}" for runtime, number in largest.items())
    print(f"{len(programs)} ML programs of a few operations: largest difference {shown}; {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
