# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""GIF files: frames and their disposal, frames beyond the screen, delays, transparency, and bytes between blocks."""

import struct

import numpy as np
from PIL import Image

from . import samples
from .content import MANY, MANY_SIZE, Content
from .draw import Draw

COUNTS = {
    "one": (1,),
    "two": (2,),
    "three": (3,),
    "some": (20, 99, 100, 101),
    "around 1,000": (999, 1000, 1001),
    "around 4,096": (4095, 4096, 4097),
    "around 10,000": (9999, 10000, 10001),
}


def _coded(indices: np.ndarray, depth: int) -> bytes:
    """Indices as LZW codes that never use the table: a clear code comes before it grows."""
    size = max(depth, 2)
    clear, width = 1 << size, size + 1
    flat = indices.flatten()
    # Codes keep their width for so many of them.
    run = (1 << size) - 2
    count = -(-len(flat) // run)
    codes = np.full((count, run + 1), clear, np.uint16)
    padded = np.zeros(count * run, np.uint16)
    padded[: len(flat)] = flat
    codes[:, 1:] = padded.reshape(count, run)
    used = codes.flatten()[: len(flat) + -(-len(flat) // run)]
    used = np.append(used, np.uint16(clear + 1))
    bits = ((used[:, None] >> np.arange(width)) & 1).astype(np.uint8)
    data = np.packbits(bits.flatten(), bitorder="little").tobytes()
    blocks = b"".join(bytes([len(data[at : at + 255])]) + data[at : at + 255] for at in range(0, len(data), 255))
    return bytes([size]) + blocks + b"\0"


def _frame(image: Image.Image, position: tuple[int, int], control: bytes, depth: int, interlaced: bool) -> bytes:
    indices, colours = samples.palette(image, depth)
    if interlaced:
        order = [
            *range(0, indices.shape[0], 8),
            *range(4, indices.shape[0], 8),
            *range(2, indices.shape[0], 4),
            *range(1, indices.shape[0], 2),
        ]
        indices = indices[order]
    flags = 0x80 | (0x40 if interlaced else 0) | (depth - 1)
    return control + struct.pack("<BHHHHB", 0x2C, *position, *image.size, flags) + colours + _coded(indices, depth)


def _control(disposal: int, delay: int, transparent: int | None) -> bytes:
    flags = disposal << 2 | (transparent is not None)
    return struct.pack("<BBBBHBB", 0x21, 0xF9, 4, flags, delay, transparent or 0, 0)


def animated(draw: Draw, content: Content) -> bytes:
    """A GIF file with one frame or several."""
    count = draw.counted("GIF frames", COUNTS, 0.55)
    if count > MANY:
        content = content.resized(MANY_SIZE)
    place = draw.choose(
        "GIF subject", ("first", "second", "last", *["beyond the screen"] * 2, "in small frames", "second of two at once")
    )
    depth = int(draw.choose("GIF depth", ("8", "4", "2", "1"), 0.5))
    disposal = int(draw.choose("GIF disposal", ("0", "1", "2", "3", "7"), 0.3))
    delay = int(draw.choose("GIF delay", ("10", "0", "1", "65535"), 0.5))
    transparent = {"none": None, "0": 0, "1": 1, "255": 255}[
        draw.choose("GIF transparent index", ("none", "0", "1", "255"), 0.7)
    ]
    interlaced = draw.flag("GIF interlaced", 0.15)
    width, height = content.size
    screen = content.size

    def frame(image: Image.Image, position: tuple[int, int] = (0, 0)) -> bytes:
        return _frame(image, position, _control(disposal, delay, transparent), depth, interlaced)

    # Small covers keep the file small.
    cover, subject = frame(content.cover.resize((width, height))), frame(content.subject)
    rest = frame(content.cover.crop((0, 0, 8, 8)))
    frames = [cover] + [rest] * (count - 1)
    if place in ("first", "second", "last"):
        frames[{"first": 0, "second": min(1, count - 1), "last": -1}[place]] = subject
    elif place == "beyond the screen":
        screen = {"smaller": (width // 2, height // 2), "0": (0, 0), "1": (1, 1)}[
            draw.choose("GIF screen", ("smaller", "0", "1"))
        ]
        frames[-1] = frame(content.subject, (0, 0))
    elif place == "in small frames":
        upper, lower = content.subject.crop((0, 0, width, height // 2)), content.subject.crop(
            (0, height // 2, width, height)
        )
        frames[0:1] = [frame(upper), frame(lower, (0, height // 2))]
    else:
        frames = [
            cover,
            subject.replace(_control(disposal, delay, transparent), _control(disposal, 0, transparent), 1),
            cover,
        ]
    between = draw.choose(
        "GIF between frames", ("nothing", "comment", "zero bytes", "unknown block", "plain text"), 0.65
    )
    filler = {
        "nothing": b"",
        "comment": b"\x21\xfe\4test\0",
        "zero bytes": bytes(3),
        "unknown block": b"\x21\x42\4test\0",
        "plain text": b"\x21\x01\x0c" + struct.pack("<HHHHBBBB", 0, 0, 8, 8, 8, 8, 1, 0) + b"\1A\0",
    }[between]
    loop = {"endless": b"\x21\xff\x0bNETSCAPE2.0\3\1\0\0\0", "none": b""}[draw.choose("GIF loop", ("endless", "none"))]
    end = {"usual": b"\x3b", "zeros before it": bytes(5) + b"\x3b", "missing": b"", "more behind it": b"\x3b" + cover}[
        draw.choose("GIF end", ("usual", "zeros before it", "missing", "more behind it"), 0.75)
    ]
    head = draw.choose("GIF version", ("GIF89a", "GIF87a"), 0.85).encode()
    shared = draw.flag("GIF shared palette", 0.3)
    logical = struct.pack("<HHBBB", *screen, 0xF0 if shared else 0x70, draw.number("background", 0, 1), 0)
    return head + logical + (b"\x30\x60\x30\xd0\xd0\xd0" if shared else b"") + loop + filler.join(frames) + filler + end
