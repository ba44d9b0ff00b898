# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Converts models of one layer, and compares ONNX Runtime's results with numpy's: check_layers.py PROBE FOLDER"""

import pathlib
import subprocess
import sys

import numpy as np
import onnxruntime

from layers import all_cases


def main():
    probe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    cases = all_cases()
    for case in cases:
        (folder / f"{case.name}.mlmodel").write_bytes(case.spec.SerializeToString())
    subprocess.run([probe, str(folder)], check=True)
    faults, largest = [], 0.0
    for case in cases:
        file = folder / f"{case.name}.onnx"
        if not file.exists():
            faults.append(f"{case.name}: {(folder / f'{case.name}.txt').read_text()}")
            continue
        session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
        (result,) = session.run(None, {"image": case.inputs.reshape(1, *case.inputs.shape)})
        if result.size != case.expected.size:
            faults.append(f"{case.name}: {result.size} numbers where {case.expected.size} are expected")
            continue
        expected = case.expected.ravel()
        # Sums of large numbers are compared by their size.
        difference = np.abs(result.ravel() - expected).max() / max(1, np.abs(expected).max())
        largest = max(largest, difference)
        if not difference <= case.tolerance:
            faults.append(f"{case.name}: off by {difference:.3g}")
    for fault in faults:
        print(fault)
    print(f"{len(cases)} models of one layer: largest difference {largest:.2g}, {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
