# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""A process that looks at files with one viewer: a line of JSON for each on standard input, and one on standard output.

The model's inputs of the frames go into a file of the folder that is named on the command line."""

import json
import os
import sys
from pathlib import Path

import numpy as np

from . import backends
from .looking import Look


def viewer(name: str) -> backends.Viewer:
    """The function that makes frames of a file."""
    if name == "Pillow":
        from .backends.pillow import frames
    elif name == "ffmpeg":
        from .backends.ffmpeg import frames
    elif name == "ImageMagick":
        from .backends.imagemagick import frames
    elif name in ("VLC", "mpv", "GStreamer"):
        from .backends import players

        frames = getattr(players, name.lower())
    elif name == "Firefox":
        from .backends.firefox import Firefox

        frames = Firefox().frames
    elif name == "Chromium":
        from .backends.chromium import Chromium

        frames = Chromium().frames
    else:
        from .backends.foreign import Foreign

        frames = Foreign({"GdkPixbuf": "gdkpixbuf_process.py", "Qt": "qt_process.py"}[name]).frames
    return frames


def serve(name: str, folder: Path) -> None:
    """Looks at files until standard input ends."""
    # Libraries may write to standard output, so answers have a descriptor of their own.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    frames = viewer(name)
    for line in sys.stdin:
        path, holds_pattern = json.loads(line)
        look, problem = Look(holds_pattern), ""
        try:
            for label, pixels in frames(path):
                look.add(label, pixels)
        except Exception as error:  # noqa: BLE001 - whatever a decoder makes of odd data
            problem = f"{type(error).__name__}: {error}"[:200]
        distinct = look.distinct()
        inputs = folder / f"{Path(path).name}.{name}.npy"
        if distinct:
            np.save(inputs, np.stack([values for _, values in distinct]))
        print(
            json.dumps(
                {
                    "frames": look.frames,
                    "shown": look.shown,
                    "problem": problem,
                    "labels": [label for label, _ in distinct],
                    "inputs": str(inputs) if distinct else "",
                }
            ),
            file=answers,
            flush=True,
        )


if __name__ == "__main__":
    serve(sys.argv[1], Path(sys.argv[2]))
