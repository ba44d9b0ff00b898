# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Frames of ImageMagick's `convert`, turned as EXIF says, over white and over black."""

import subprocess

from . import Frames
from .pixmaps import pictures

SECONDS = 20
FIRST = 8
# The label of a frame's own rectangle, which `convert` writes, while `animate` shows the whole frame.
AS_STORED = "as stored"


def _converted(path: str, ground: str, *options: str) -> list:
    made = subprocess.run(
        ["convert", f"{path}[0-{FIRST - 1}]", *options, "-auto-orient", "-background", ground, "-alpha", "remove", "-depth", "8",
         "-colorspace", "sRGB", "ppm:-"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=SECONDS, check=False).stdout
    return list(pictures(made))


def frames(path: str) -> Frames:
    """The first frames of the file, of an animation both as they are stored and as they are shown."""
    for ground in ("white", "black"):
        stored = _converted(path, ground)
        if not stored:
            raise ValueError("no picture")
        is_animation = len(stored) > 1
        # Equal looks are kept once, with the first label.
        for number, pixels in enumerate(_converted(path, ground, "-coalesce") if is_animation else ()):
            yield f"{number} over {ground}", pixels
        for number, pixels in enumerate(stored):
            yield f"{number} {f'{AS_STORED} ' if is_animation else ''}over {ground}", pixels
