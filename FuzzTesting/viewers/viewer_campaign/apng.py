# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Animated PNG files: frames, their disposal and blending, delays, and default pictures."""

import struct

import numpy as np
from PIL import Image

from .content import Content
from .draw import Draw
from .png import SIGNATURE, chunk, data, header


def _frame(image: Image.Image) -> bytes:
    return data(np.asarray(image.convert("RGBA")), 8)


def _halves(subject: Image.Image) -> list[Image.Image]:
    """Two frames that show the subject only together."""
    both = []
    for first in (0, 1):
        pixels = np.asarray(subject.convert("RGBA")).copy()
        pixels[:, first::2] = 0
        both.append(Image.fromarray(pixels))
    return both


def animated(draw: Draw, content: Content) -> bytes:
    """An animation whose subject is in one frame, in the default picture, or in the sum of two frames."""
    cover, subject = content.cover, content.subject
    where = draw.choose(
        "APNG subject", ("second frame", "default picture", "last frame", "halves", "small frames", "first frame")
    )
    count = int(draw.choose("APNG frames", ("3", "2", "1", "12", "40"), 0.5))
    default_counts = draw.flag("APNG default picture is a frame", 0.5)
    default, frames = cover, [cover] * count
    if where == "default picture":
        default = subject
    elif where == "halves":
        default = Image.new("RGBA", subject.size, (0, 0, 0, 0))
        frames = _halves(subject) + frames[2:]
    elif where == "small frames":
        frames = [
            subject.crop((0, 0, subject.width, subject.height // 2)),
            subject.crop((0, subject.height // 2, *subject.size)),
        ] + frames[2:]
    else:
        frames[{"second frame": min(1, count - 1), "last frame": -1, "first frame": 0}[where]] = subject
    disposal = int(draw.choose("APNG disposal", ("0", "1", "2"), 0.4))
    blend = 1 if where == "halves" else int(draw.choose("APNG blending", ("0", "1"), 0.5))
    delay = {"100 ms": (1, 10), "0": (0, 1), "0 of 0": (0, 0), "10 s": (10, 1), "10 ms": (1, 100)}[
        draw.choose("APNG delay", ("100 ms", "0", "0 of 0", "10 s", "10 ms"), 0.5)
    ]
    announced = {"right": len(frames) + default_counts, "1": 1, "too many": 100, "0": 0}[
        draw.choose("APNG frames announced", ("right", "1", "too many", "0"), 0.7)
    ]
    control = chunk(b"acTL", struct.pack(">II", announced, int(draw.choose("APNG plays", ("0", "1")))))
    place = draw.choose("APNG acTL", ("before the data", "behind the data", "twice", "missing"), 0.65)
    parts = [SIGNATURE, header(*cover.size, 8, 6)]
    if place in ("before the data", "twice"):
        parts.append(control)
    number = 0

    def details(size: tuple[int, int], top: int) -> bytes:
        return chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, *size, 0, top, *delay, disposal, blend))

    if default_counts:
        parts.append(details(cover.size, 0))
        number += 1
    parts.append(chunk(b"IDAT", _frame(default)))
    if place in ("behind the data", "twice"):
        parts.append(control)
    bodies: dict[int, bytes] = {}
    order = draw.choose("APNG sequence", ("right", "repeated", "reversed"), 0.75)
    for position, frame in enumerate(frames):
        top = subject.height // 2 if where == "small frames" and position == 1 else 0
        body = bodies.setdefault(id(frame), _frame(frame))
        parts.append(details(frame.size, top))
        number += 0 if order == "repeated" else 1
        parts.append(chunk(b"fdAT", struct.pack(">I", number) + body))
        number += 0 if order == "repeated" else 1
    if order == "reversed":
        parts[-2:] = parts[-1:] + parts[-2:-1]
    return b"".join(parts) + chunk(b"IEND", b"")
