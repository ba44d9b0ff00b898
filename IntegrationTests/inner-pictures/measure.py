#!/usr/bin/env python3
# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Judges a set of `make_set.py` with sca, and prints how much of the plain score each layout keeps.

    measure.py --sca PROGRAM SET [OPTIONS OF SCA ANALYZE...]
"""

import argparse
import json
import statistics
import subprocess
from pathlib import Path


def overlap(one, other):
    """The area that two rectangles share, as a share of the area that they cover."""
    width, height = (min(one[i + 2], other[i + 2]) - max(one[i], other[i]) for i in (0, 1))
    if width <= 0 or height <= 0:
        return 0
    area = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return width * height / (area - width * height)


def judged(program, folder, entries, options):
    names = [str(folder / entry["file"]) for entry in entries]
    command = [program, "analyze", "--format", "jsonl", "--no-progress", *options, "--files-from", "-", "-0"]
    output = subprocess.run(command, input="\0".join(names).encode(), stdout=subprocess.PIPE, check=False).stdout
    lines = {line["path"]: line for line in map(json.loads, output.splitlines())}
    return [lines[name] for name in names]


def fits(entry, line):
    """Whether a region that was reported overlaps the inner picture by at least 0.6."""
    box = [edge / side for edge, side in zip(entry["box"], entry["size"] * 2)]
    regions = [[r["x"], r["y"], r["x"] + r["width"], r["y"] + r["height"]] for r in line.get("regions", [])]
    return max((overlap(region, box) for region in regions), default=0) >= 0.6


def print_curve(kinds):
    """For each threshold: the share of layouts found of those whose picture reaches it by itself, and the false alarms."""
    layouts = [row for kind, rows in kinds.items() if kind not in ("plain", "harmless", "photograph") for row in rows]
    print("threshold  found  harmless layouts  photographs")
    for threshold in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        found = [line["score"] >= threshold for entry, line in layouts if entry["plain"] >= threshold]
        false = [sum(line["score"] >= threshold for _, line in kinds.get(kind, [])) for kind in ("harmless", "photograph")]
        print(f"{threshold:9}  {sum(found) / max(1, len(found)):5.0%}  {false[0]:16}  {false[1]:11}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sca", default="sca")
    parser.add_argument("set", type=Path)
    arguments, options = parser.parse_known_args()
    entries = json.loads((arguments.set / "set.json").read_text())
    lines = judged(arguments.sca, arguments.set, entries, options)
    kinds = {}
    for entry, line in zip(entries, lines):
        if "score" in line:
            kinds.setdefault(entry["kind"], []).append((entry, line))
    print(f"{len(lines)} files, {sum('score' not in line for line in lines)} unknown")
    print(f"{'kind':17} {'files':>5}  median kept  90 % kept  region fits")
    kept_of_all, fits_of_all = [], []
    for kind, rows in kinds.items():
        if "plain" not in rows[0][0]:
            counts = (f"{sum(line['score'] > bound for _, line in rows)} over {bound}" for bound in (0.4, 0.7))
            print(f"{kind:17} {len(rows):5}  {', '.join(counts)}")
            continue
        kept = [line["score"] / entry["plain"] for entry, line in rows]
        # A region is reported from 0.4 on.
        fitting = [fits(entry, line) for entry, line in rows if entry["plain"] >= 0.45]
        if kind != "plain":
            kept_of_all += kept
            fits_of_all += fitting
        share = sum(value >= 0.9 for value in kept) / len(kept)
        print(f"{kind:17} {len(rows):5}  {statistics.median(kept):11.2f}  {share:9.0%}"
              f"  {sum(fitting) / max(1, len(fitting)):11.0%}")
    print_curve(kinds)
    print(f"all layouts: {sum(value >= 0.9 for value in kept_of_all) / len(kept_of_all):.0%} keep 90 % of the plain score;"
          f" a region fits in {sum(fits_of_all) / len(fits_of_all):.0%}")


if __name__ == "__main__":
    main()
