# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Measures an imported copy of open_nsfw against the shipped model: measure_cost.py SCA MODEL PICTURES... (by hand)

Both are run in turns, so that the machine's other work falls on both. The ratio is that of the medians."""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from mirror import Mirror

ROUNDS, STARTS = 10, 40


def timed(command, model, paths, environment):
    """The seconds of one run of the command."""
    start = time.perf_counter()
    subprocess.run([command, "analyze", "--model", model, "--", *paths], env=environment, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def ratio(command, paths, rounds, environment):
    """Times the imported and the shipped model in turns; returns the medians of both, in seconds."""
    seconds = {"imported": [], "open-nsfw": []}
    for place in range(rounds):
        for name in sorted(seconds, reverse=place % 2 == 1):
            seconds[name].append(timed(command, name, paths, environment))
    return statistics.median(seconds["imported"]), statistics.median(seconds["open-nsfw"])


def main():
    command, model, *pictures = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "HOME": folder, "XDG_CACHE_HOME": folder}
        file = pathlib.Path(folder, "imported.mlmodel")
        file.write_bytes(Mirror(model).spec().SerializeToString())
        subprocess.run([command, "model", "import", "--sensitive", "NSFW", "--", file], env=environment, check=True)
        for name in ("imported", "open-nsfw"):
            timed(command, name, pictures[:1], environment)
        for what, paths, rounds in (("pictures", pictures, ROUNDS), ("a start", pictures[:1], STARTS)):
            imported, shipped = ratio(command, paths, rounds, environment)
            print(f"{what}: imported {imported:.3f} s, shipped {shipped:.3f} s, ratio {imported / shipped:.3f}")


main()
