# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Differences between a viewer and sca that have a name and a reason. Each is as narrow as it can be said.

An entry takes the case away from the failures, and the report counts its uses."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Case:
    """One difference: what the file is made of, who shows something, and in which frames."""

    format: str
    choices: dict[str, str]
    # "shown" for the pattern, "score" for a shortfall of the score.
    kind: str
    viewer: str
    labels: list[str] = field(default_factory=list)
    score: float = 0
    ours: float = 0
    # The highest score of the other viewers.
    others: float = 0

    def has(self, name: str, *options: str) -> bool:
        return self.choices.get(name) in options


@dataclass(frozen=True)
class Explanation:
    """A name, the reason why the difference is no fault, and the cases that it covers."""

    name: str
    reason: str
    covers: Callable[[Case], bool]


TURNED = ("3", "6", "8", "2", "5", "twice")


def _is_turned(case: Case) -> bool:
    return case.has("orientation", *TURNED) or case.has("TIFF orientation", "3", "6", "8", "twice")


EXPLANATIONS = (
    Explanation("orientation left out", "the viewer shows the picture unturned, and the model's score depends on the direction",
                lambda case: case.kind == "score" and _is_turned(case) and case.viewer in ("ffmpeg", "ImageMagick", "GdkPixbuf", "Qt", "Pillow", "Chromium")
                and case.others - case.ours <= 0.1),
)


def explanation(case: Case) -> str | None:
    """The name of the entry that covers the case."""
    return next((each.name for each in EXPLANATIONS if each.covers(case)), None)
