# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Frames of ImageMagick's `convert`, turned as EXIF says, over white and over black."""

import subprocess

from . import Frames
from .pixmaps import pictures

SECONDS = 20
FIRST = 8


def frames(path: str) -> Frames:
    """The first frames of the file."""
    for name in ("white", "black"):
        made = subprocess.run(
            [
                "convert",
                f"{path}[0-{FIRST - 1}]",
                "-auto-orient",
                "-background",
                name,
                "-alpha",
                "remove",
                "-depth",
                "8",
                "-colorspace",
                "sRGB",
                "ppm:-",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        ).stdout
        count = 0
        for count, pixels in enumerate(pictures(made), 1):
            yield f"{count - 1} over {name}", pixels
        if not count:
            raise ValueError("no picture")
