# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Judges all fixtures, or compares their verdicts on two systems:

    verdicts_of_releases.py judge SCA ROOT
    verdicts_of_releases.py compare HERE.json THERE.json

Each fixture is judged with and without test mode."""

import json
import os
import subprocess
import sys
from pathlib import Path

MEDIA = "avif bmp gif heic jpg jxl mkv mov mp4 ogg png tiff ts webm webp avi flv y4m".split()
# Scores may differ by so much between versions of decoders.
TOLERANCE = 0.02

# What differs between Debian 12 and 13, and why; none of it is less strict.
EXPLAINED = {
    # libheif 1.15 reads nothing of a file whose brands come late or twice; 1.23 does, and the pattern is found.
    "evasions/ambiguousMedia-late-brands.heic": {"unknown", "sensitive"},
    "evasions/ambiguousMedia-second-brands.heic": {"unknown", "sensitive"},
}


def judge(sca, root):
    folder = Path(root, "Tests/Fixtures")
    files = sorted(path for path in folder.rglob("*") if path.suffix[1:] in MEDIA)
    results = {}
    for mode in ("0", "1"):
        outcome = subprocess.run([sca, "analyze", "--format", "jsonl", "--", *files], capture_output=True, text=True,
                                 env={**os.environ, "SCA_TEST_MODE": mode}, check=False)
        for line in map(json.loads, outcome.stdout.splitlines()):
            name = str(Path(line["path"]).relative_to(folder))
            results[f"{name} in test mode" if mode == "1" else name] = [
                line["verdict"], line.get("error", {}).get("code"), line.get("score")]
        if len(results) != len(files) * (int(mode) + 1):
            sys.exit(f"{len(results)} of {len(files)} fixtures were judged: {outcome.stderr}")
    print(json.dumps(results, indent=1))


def compare(here, there):
    here, there = (json.loads(Path(path).read_text()) for path in (here, there))
    wrong, explained, moved = [], 0, 0
    for name in sorted(here.keys() | there.keys()):
        left, right = here.get(name, ["none"] * 3), there.get(name, ["none"] * 3)
        verdicts = {left[0], right[0]}
        score = abs((left[2] or 0) - (right[2] or 0))
        moved += len(verdicts) == 1 and score > 0.01
        if len(verdicts) == 1 and left[1] == right[1] and score <= TOLERANCE:
            continue
        if verdicts <= EXPLAINED.get(name.removesuffix(" in test mode"), set()):
            explained += 1
        else:
            wrong.append(f"{name}: {left} here, {right} there")
    print("\n".join(wrong))
    print(f"{len(here)} verdicts: {len(wrong)} differ, {explained} more for a known reason; {moved} scores differ by over 0.01")
    return 1 if wrong or len(here) < 100 else 0


if __name__ == "__main__":
    action, first, second = sys.argv[1:]
    sys.exit(judge(first, second) if action == "judge" else compare(first, second))
