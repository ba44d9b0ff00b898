# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""EXIF blocks: the orientation once, twice or in contradiction, and thumbnails."""

import io
import struct

from PIL import Image

from .draw import Draw

ORIENTATION = 0x0112


def tiff_block(entries: list[tuple[int, int, int]], thumbnail: bytes = b"", big: bool = False) -> bytes:
    """A TIFF block with short values (tag, kind, value), and a JPEG thumbnail in its second directory."""
    end = ">" if big else "<"
    first = struct.pack(end + "H", len(entries))
    for tag, kind, value in entries:
        first += struct.pack(end + "HHI", tag, kind, 1)
        first += struct.pack(end + ("HH" if kind == 3 else "I"), *((value, 0) if kind == 3 else (value,)))
    next_at = 8 + len(first) + 4
    first += struct.pack(end + "I", next_at if thumbnail else 0)
    if thumbnail:
        at = next_at + 2 + 3 * 12 + 4
        first += struct.pack(end + "H", 3)
        first += struct.pack(end + "HHIHH", 0x0103, 3, 1, 6, 0)
        first += struct.pack(end + "HHII", 0x0201, 4, 1, at) + struct.pack(end + "HHII", 0x0202, 4, 1, len(thumbnail))
        first += struct.pack(end + "I", 0) + thumbnail
    return (b"MM\0*" if big else b"II*\0") + struct.pack(end + "I", 8) + first


def choose(draw: Draw, thumbnail: Image.Image) -> bytes | None:
    """A block of EXIF data, or none."""
    kind = draw.choose("orientation", ("none", "1", "3", "6", "8", "2", "5", "twice", "impossible"), 0.6)
    with_thumbnail = draw.flag("thumbnail in EXIF", 0.08)
    if kind == "none" and not with_thumbnail:
        return None
    entries = (
        {"none": [], "twice": [(ORIENTATION, 3, 6), (ORIENTATION, 3, 3)], "impossible": [(ORIENTATION, 3, 9)]}.get(kind)
        if not kind.isdigit()
        else [(ORIENTATION, 3, int(kind))]
    )
    small = io.BytesIO()
    if with_thumbnail:
        thumbnail.resize((160, 120)).save(small, "JPEG")
    return tiff_block(entries or [], small.getvalue(), draw.flag("big-endian EXIF", 0.5))
