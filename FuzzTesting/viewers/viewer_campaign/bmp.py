# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""BMP files: headers of each size, masks, alpha, depths, palettes and compressions."""

import struct

import numpy as np

from . import colour, samples
from .content import Content
from .draw import Draw

KINDS = ("24", "32", "32", "32", "32", "16 of 5 bits", "16 with masks", "8", "4", "2", "1", "8 compressed")
ARGB = (0xFF0000, 0xFF00, 0xFF, 0xFF000000)
# A profile is twice as likely, since one header of seven alone can have it.
SPACES = ("BGRs", "calibrated steep", " niW", "profile", "profile")
MASKS = {
    "ARGB": ARGB,
    "no alpha": (*ARGB[:3], 0),
    "ABGR": (0xFF, 0xFF00, 0xFF0000, 0xFF000000),
    "alpha in front": (0xFF000000, 0xFF0000, 0xFF00, 0xFF),
}


def _padded(rows: np.ndarray) -> bytes:
    spare = -rows.shape[1] % 4
    return np.pad(rows, ((0, 0), (0, spare))).tobytes()


def _compressed(indices: np.ndarray) -> bytes:
    """Run lengths of 8 bits."""
    lines = []
    for row in indices:
        line, at = bytearray(), 0
        edges = np.flatnonzero(np.diff(row)) + 1
        for end in [*edges.tolist(), len(row)]:
            while at < end:
                count = min(255, end - at)
                line += bytes([count, int(row[at])])
                at += count
        lines.append(bytes(line) + b"\0\0")
    return b"".join(lines) + b"\0\1"


def still(draw: Draw, content: Content) -> bytes:
    """A BMP file."""
    kind = draw.choose("BMP samples", KINDS, 0.15)
    size = int(draw.choose("BMP header", ("40", "40", "52", "56", "108", "124", "12")))
    compression, table = 0, b""
    masks: tuple[int, ...] = ()
    width, height = content.size
    subject = content.subject
    if kind == "32":
        colours, fourth = samples.alpha(draw, content, subject)
        name = draw.choose("BMP masks", ("none", *MASKS), 0.25)
        masks = MASKS.get(name, ())
        order = {"ABGR": (0, 1, 2, 3), "alpha in front": (3, 2, 1, 0)}.get(name, (2, 1, 0, 3))
        pixels = np.concatenate([colours, fourth[..., None]], 2)[..., list(order)]
        rows = pixels.reshape(height, -1)
        compression = 3 if masks else 0
    elif kind == "24":
        rows = np.asarray(subject)[..., ::-1].reshape(height, -1)
    elif kind.startswith("16"):
        wide = np.asarray(subject).astype(np.uint16) >> 3
        masks = (0xF800, 0x7E0, 0x1F) if kind == "16 with masks" else ()
        value = (
            wide[..., 0] << 11 | wide[..., 1] << 6 | wide[..., 2]
            if masks
            else wide[..., 0] << 10 | wide[..., 1] << 5 | wide[..., 2]
        )
        rows, compression = value.astype("<u2").view(np.uint8).reshape(height, -1), 3 if masks else 0
    else:
        depth = int(kind.split()[0])
        indices, listed = samples.palette(subject, depth)
        swapped = np.frombuffer(listed, np.uint8).reshape(-1, 3)[:, ::-1]
        table = (np.pad(swapped, ((0, 0), (0, 0 if size == 12 else 1)))).tobytes()
        rows = indices if depth == 8 else samples.packed(indices, depth)
    if size == 12 and compression:
        size = 40
    if masks and len(masks) == 4 and size == 40 and draw.flag("BMP compression 6", 0.8):
        compression = 6
    bits = int(kind.split()[0])
    up = draw.flag("BMP top row first", 0.2) and size != 12 and kind != "8 compressed"
    if kind == "8 compressed" and size != 12:
        compression, data = 1, _compressed(rows[::-1])
    else:
        data = _padded(np.ascontiguousarray(rows if up else rows[::-1]))
    used = {"right": 0, "exact": len(table) // 4, "too many": 300, "huge": 0x7FFFFFFF}[
        draw.choose("BMP colours used", ("right", "exact", "too many", "huge"), 0.75)
    ]
    # A number of colours moves the pixels only where it is right.
    used = used if table else 0
    if size == 12:
        head = struct.pack("<IHHHH", 12, width, height, 1, bits)
    else:
        head = struct.pack(
            "<IiiHHIIiiII", size, width, -height if up else height, 1, bits, compression, len(data), 2835, 2835, used, 0
        )
        spare = size - len(head)
        filled = b"".join(struct.pack("<I", mask) for mask in masks)
        head += filled.ljust(spare, b"\0")[:spare] if spare else filled[: 16 if compression == 6 else 12]
    if size >= 108:
        space = draw.choose(
            "BMP colour space", SPACES if size == 124 else SPACES[:3], 0.15
        )
        changed = bytearray(head)
        struct.pack_into("<4s", changed, 56, bytes(4) if space.startswith("calibrated") else space.encode()[:4])
        if space == "calibrated steep":
            struct.pack_into("<III", changed, 96, 600 << 8, 600 << 8, 600 << 8)
        if space == "profile":
            icc, _ = colour.choose(draw, 0.2)
            struct.pack_into("<4s", changed, 56, b"DEBM")
            struct.pack_into("<II", changed, 112, len(head) + len(table) + len(data), len(icc or b""))
            data += icc or b""
        head = bytes(changed)
    offset = 14 + len(head) + len(table)
    gap = draw.choose("BMP gap before the pixels", ("0", "12"), 0.85)
    return (
        struct.pack("<2sIHHI", b"BM", offset + int(gap) + len(data), 0, 0, offset + int(gap))
        + head
        + table
        + bytes(int(gap))
        + data
    )
