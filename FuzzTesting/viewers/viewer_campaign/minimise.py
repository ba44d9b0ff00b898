# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Reduces failures to the features that they need, and keeps one file of each class."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .lane import Lane, Row

Class = dict[str, Any]
NOT_REDUCED = ["not reduced"]
# Features that say what the picture is, and not how the file is made.
PICTURE = ("size", "cover", "content", "pattern place")


def signature(row: Row) -> tuple[str, str]:
    """The kind of the failure, and the viewer that shows it best; the pattern comes first."""
    failures = sorted(row["failures"], key=lambda each: (each["kind"] != "shown", -each["score"]))
    return failures[0]["kind"], failures[0]["viewer"]


def _failing(lane: Lane, row: Row, attempts: list[dict[str, str]]) -> list[Row | None]:
    """For each set of forced choices the row that fails in the same way, or None."""
    kind, viewer = signature(row)
    made = lane.rows([row["name"]] * len(attempts), attempts, [viewer])
    return [each if any(failure["kind"] == kind for failure in each["failures"]) else None for each in made]


def minimised(lane: Lane, row: Row) -> tuple[dict[str, str], Row]:
    """The choices that are forced to their plain option without an end of the failure, and the row of that file."""
    plain = lane.generate(row["name"]).draw.plain
    left = [name for name in row["choices"] if row["choices"][name] != plain.get(name, row["choices"][name])]
    alone = _failing(lane, row, [{name: plain[name]} for name in left]) if left else []
    # Those that are not needed one by one are mostly not needed together.
    candidates = [name for name, result in zip(left, alone) if result]
    together = {name: plain[name] for name in candidates}
    result = _failing(lane, row, [together])[0] if candidates else row
    if result:
        return together, result
    forced: dict[str, str] = {}
    current = row
    for name in sorted(candidates, key=lambda name: name in PICTURE):
        attempt = _failing(lane, row, [forced | {name: plain[name]}])[0]
        if attempt:
            forced, current = forced | {name: plain[name]}, attempt
    return forced, current


def needed(lane: Lane, row: Row, forced: dict[str, str]) -> list[str]:
    """The features of the minimised file that are not plain."""
    draw = lane.generate(row["name"], forced).draw
    return sorted(
        f"{name}: {option}"
        for name, option in draw.choices.items()
        if name not in PICTURE and not name.startswith("treatment") and option != draw.plain.get(name)
    )


def _class_of(row: Row, found: list[Class]) -> Class | None:
    """The class that needs no feature but those of the row; a class that needs none takes each file of its format."""
    kind, _ = signature(row)
    features = {f"{name}: {option}" for name, option in row["choices"].items()}
    alike = [each for each in found if (each["kind"], each["format"]) == (kind, row["format"])]
    # The class of those that were not reduced comes last.
    alike.sort(key=lambda each: each["needs"] == NOT_REDUCED)
    return next((each for each in alike if each["needs"] == NOT_REDUCED or set(each["needs"]) <= features), None)


def _keep(lane: Lane, entry: Class, folder: Path) -> None:
    """Writes the file and the recipe of a class."""
    made = lane.generate(entry["names"][0], entry["forced"])
    target = folder / f"{entry['names'][0]}-{entry['kind']}"
    target.mkdir(parents=True, exist_ok=True)
    (target / made.name).write_bytes(made.data)
    (target / "recipe.json").write_text(json.dumps(entry | {"choices": made.draw.choices}, indent=1) + "\n")
    print(
        f"  {entry['format']}, {entry['kind']}, {entry['viewer']}: {', '.join(entry['needs']) or 'the plain file'}",
        flush=True,
    )


def classes(lane: Lane, failures: Iterable[Row], folder: Path, most: int) -> list[Class]:
    """The classes of failures: each has the features that it needs, a count, and a file of its own in the folder."""
    found: list[Class] = []
    reduced = 0
    for row in failures:
        known = _class_of(row, found)
        if known:
            known["count"] += 1
            known["names"] = (known["names"] + [row["name"]])[:20]
            continue
        kind, viewer = signature(row)
        entry: Class = {"kind": kind, "format": row["format"], "viewer": viewer, "count": 1, "names": [row["name"]]}
        found.append(entry)
        if reduced >= most:
            entry["needs"] = NOT_REDUCED
            continue
        reduced += 1
        forced, current = minimised(lane, row)
        entry |= {"needs": needed(lane, row, forced), "forced": forced, "failures": current["failures"]}
        entry |= {"test": current["test"], "outside": current["outside"]}
        _keep(lane, entry, folder)
    return found
