# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Converts ML programs of a few operations, and compares the results of both runtimes with numpy's.

    check_programs.py PROBE FOLDER
"""

import pathlib
import sys
from types import SimpleNamespace

import numpy as np

from comparison import exit_code
from programs import RANDOM, SHAPE, all_programs

LIMIT = 1e-5


def main():
    probe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    programs = all_programs()
    inputs = RANDOM.uniform(-2, 2, SHAPE).astype(np.float32)
    for program in programs:
        program.package().save(str(folder / f"{program.name}.mlpackage"))
    cases = [
        SimpleNamespace(
            name=program.name, inputs=inputs[0], expected=np.asarray(program.expected(inputs.astype(np.float64))),
            tolerance=LIMIT)
        for program in programs]
    sys.exit(exit_code(probe, folder, cases, "ML programs of a few operations"))


main()
