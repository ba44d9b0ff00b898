# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Converts models of one layer, and compares the results of both runtimes with numpy's: check_layers.py PROBE FOLDER"""

import pathlib
import sys

from comparison import exit_code
from layers import all_cases


def main():
    probe, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    cases = all_cases()
    for case in cases:
        (folder / f"{case.name}.mlmodel").write_bytes(case.spec.SerializeToString())
    sys.exit(exit_code(probe, folder, cases, "models of one layer"))


main()
