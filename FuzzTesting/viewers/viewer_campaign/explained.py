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
    # The lowest score of the viewer's frames that look like its highest.
    alike: float = 0
    # How far our score is from that of the viewer's picture, turned or mirrored in the best way, and then changed as nobody
    # sees.
    turned: float = 1
    # Whether the viewer's picture has one colour.
    blank: bool = False
    # The lowest score of the viewer's picture after changes that nobody sees.
    varied: float = 1


@dataclass(frozen=True)
class Explanation:
    """A name, the reason why the difference is no fault, and the cases that it covers."""

    name: str
    reason: str
    covers: Callable[[Case], bool]


VIDEOS = ("MP4", "MOV", "MKV", "WEBM", "AVI", "TS", "FLV", "OGG")
TURNED = {
    "orientation": ("3", "6", "8", "2", "5", "twice"),
    "EXIF marker twice": ("yes",),
    "TIFF orientation": ("3", "6", "8", "twice"),
    "HEIF transformation": ("irot", "imir", "irot and imir", "irot twice"),
    "track matrix": ("turned",),
}


def is_turned(choices: dict[str, str]) -> bool:
    """Whether the file says that the picture has to be turned or mirrored."""
    return any(choices.get(name) in options for name, options in TURNED.items())


EXPLANATIONS = (
    Explanation(
        "blank picture",
        "the viewer shows one colour, for which the model's score, below 0.3, means nothing",
        lambda case: case.kind == "score" and case.blank and case.score < 0.3,
    ),
    Explanation(
        "unstable score",
        "two levels, noise of one level or a blur of one pixel move the model's score of the viewer's picture to within 0.1 of ours",
        lambda case: case.kind == "score" and case.varied - case.ours <= 0.1,
    ),
    Explanation(
        "another frame of the same shot",
        "scores of frames that look alike differ by their coding; we judged another of them",
        lambda case: case.kind == "score" and case.format in VIDEOS and case.alike - case.ours <= 0.1,
    ),
    Explanation(
        "colour below the transparent index",
        "Pillow drops the opacity of a GIF, and the one colour of its transparent pixels appears; docs/viewers/gif.md",
        lambda case: (
            case.kind == "score"
            and case.viewer == "Pillow"
            and case.format == "GIF"
            and case.choices.get("GIF transparent index", "none") != "none"
            and all("alpha dropped" in label for label in case.labels)
        ),
    ),
    Explanation(
        "picture of an animation alone",
        "ImageMagick shows a part or a transparent picture of a GIF without those below it; docs/viewers/gif.md",
        lambda case: (
            case.viewer == "ImageMagick"
            and case.format == "GIF"
            and case.choices.get("GIF frames", "one") != "one"
            and not any(label.split()[0] == "0" for label in case.labels)
        ),
    ),
    Explanation(
        "orientation left out",
        "the viewer does not turn the picture as the file says, and scores depend on the direction",
        lambda case: case.kind == "score" and is_turned(case.choices) and case.turned <= 0.1,
    ),
)


def explanation(case: Case) -> str | None:
    """The name of the entry that covers the case."""
    return next((each.name for each in EXPLANATIONS if each.covers(case)), None)
