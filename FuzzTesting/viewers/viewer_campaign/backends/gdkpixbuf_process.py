# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""The process of GdkPixbuf: reads paths on standard input, and writes frames as foreign.py reads them."""

import json
import os
import sys

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf, GLib  # noqa: E402

MOST_FRAMES, MOST_PIXELS = 12, 40_000_000
# Libraries may write to standard output, so answers have a descriptor of their own.
out = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)


def write(label: str, pixbuf: GdkPixbuf.Pixbuf) -> None:
    """Writes one frame."""
    if pixbuf.get_width() * pixbuf.get_height() > MOST_PIXELS:
        return
    data = pixbuf.get_pixels()
    out.write(
        json.dumps(
            {
                "label": label,
                "width": pixbuf.get_width(),
                "height": pixbuf.get_height(),
                "row": pixbuf.get_rowstride(),
                "channels": pixbuf.get_n_channels(),
                "bytes": len(data),
            }
        ).encode()
        + b"\n"
        + data
    )


def show(path: str) -> None:
    """Writes the still picture, turned as EXIF says, or the first frames of an animation."""
    animation = GdkPixbuf.PixbufAnimation.new_from_file(path)
    if animation.is_static_image():
        pixbuf = animation.get_static_image()
        write("0", pixbuf.apply_embedded_orientation() or pixbuf)
        return
    moment = GLib.TimeVal()
    steps = animation.get_iter(moment)
    for number in range(MOST_FRAMES):
        write(str(number), steps.get_pixbuf())
        delay = steps.get_delay_time()
        if delay < 0:
            return
        moment.add(max(delay, 1) * 1000 + 1000)
        steps.advance(moment)


for line in sys.stdin:
    problem = ""
    try:
        show(line.rstrip("\n"))
    except Exception as error:  # noqa: BLE001 - whatever a loader says
        problem = str(error)[:200] or "error"
    out.write(json.dumps({"end": problem}).encode() + b"\n")
    out.flush()
