# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Reduces failures to the features that they need, and keeps one file of each class."""

import json
from collections.abc import Iterable
from pathlib import Path

from .lane import Lane, Row

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


def classes(lane: Lane, failures: Iterable[Row], folder: Path, most: int) -> list[dict]:
    """The classes of failures: each has the features that it needs, a count, and a file of its own in the folder."""
    found: list[dict] = []
    for row in failures:
        kind, viewer = signature(row)
        features = {f"{name}: {option}" for name, option in row["choices"].items()}
        known = next(
            (
                each
                for each in found
                if (each["kind"], each["format"]) == (kind, row["format"])
                and set(each["needs"]) <= features
                and (each["needs"] or not _unusual(lane, row))
            ),
            None,
        )
        if known:
            known["count"] += 1
            known["names"] = (known["names"] + [row["name"]])[:20]
            continue
        if len(found) >= most:
            found.append(
                {
                    "kind": kind,
                    "format": row["format"],
                    "viewer": viewer,
                    "needs": ["not minimised"],
                    "count": 1,
                    "names": [row["name"]],
                }
            )
            continue
        forced, current = minimised(lane, row)
        entry = {
            "kind": kind,
            "format": row["format"],
            "viewer": viewer,
            "needs": needed(lane, row, forced),
            "count": 1,
            "names": [row["name"]],
            "forced": forced,
            "failures": current["failures"],
            "test": current["test"],
            "outside": current["outside"],
        }
        found.append(entry)
        made = lane.generate(row["name"], forced)
        target = folder / f"{row['name']}-{kind}"
        target.mkdir(parents=True, exist_ok=True)
        (target / made.name).write_bytes(made.data)
        (target / "recipe.json").write_text(json.dumps(entry | {"choices": made.draw.choices}, indent=1) + "\n")
        print(f"  {row['format']}, {kind}, {viewer}: {', '.join(entry['needs']) or 'the plain file'}", flush=True)
    return found


def _unusual(lane: Lane, row: Row) -> bool:
    """Whether a file has features at all, so that a class without any does not take it."""
    plain = lane.generate(row["name"]).draw.plain
    return any(option != plain.get(name) for name, option in row["choices"].items() if name not in PICTURE)
