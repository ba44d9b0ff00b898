# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The comparison of verdicts with what viewers show. It needs the row of a file only, so it can be made again later."""

from dataclasses import asdict
from typing import Any

from .explained import Case, explanation

LARGEST_SHORTFALL = 0.1
KEPT = ("kind", "viewer", "labels", "score", "ours")


def _cases(row: dict[str, Any], viewer: str, look: dict[str, Any]) -> list[Case]:
    """The differences of one viewer."""
    ours, theirs = row["outside"]["score"] or 0, look.get("score", 0)
    cases = []
    if look["shown"] and row["test"]["verdict"] == "notSensitive":
        cases.append(Case(row["format"], row["choices"], "shown", viewer, look["shown"][:4], ours=ours))
    if row["outside"]["verdict"] != "unknown" and theirs - ours > LARGEST_SHORTFALL:
        cases.append(
            Case(
                row["format"],
                row["choices"],
                "score",
                viewer,
                [look["label"]],
                theirs,
                ours,
                look["alike"],
                look.get("turned", 1),
                "blank" in look,
                look.get("varied", theirs),
            )
        )
    return cases


def compare(row: dict[str, Any]) -> None:
    """Puts the failures and the explained differences into a row."""
    row["failures"], row["explained"] = [], []
    for viewer, look in row["viewers"].items():
        for case in _cases(row, viewer, look):
            reason = explanation(case)
            short = {key: value for key, value in asdict(case).items() if key in KEPT}
            if reason:
                row["explained"].append(short | {"reason": reason})
            else:
                row["failures"].append(short)
