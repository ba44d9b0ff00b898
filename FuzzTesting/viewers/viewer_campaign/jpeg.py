# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""JPEG files: samplings, colour transforms and markers, profiles, EXIF, and pictures that follow the first."""

import io
import struct

import numpy as np
from PIL import Image, ImageFile

from . import colour, exif
from .content import Content, treated
from .draw import Draw

# Pillow writes metadata and the first rows into one buffer, which a small picture with a large profile would exceed.
ImageFile.MAXBLOCK = 1 << 24


def segment(marker: int, data: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def encoded(image: Image.Image, **options) -> bytes:
    """The picture as an ordinary JPEG file."""
    file = io.BytesIO()
    image.save(file, "JPEG", **({"quality": 90} | options))
    return file.getvalue()


def segments(file: bytes) -> tuple[list[tuple[int, bytes]], bytes]:
    """The segments before the scan, and the rest from the start of the scan on."""
    at, found = 2, []
    while file[at + 1] != 0xDA:
        size = struct.unpack_from(">H", file, at + 2)[0]
        found.append((file[at + 1], file[at + 4 : at + 2 + size]))
        at += 2 + size
    return found, file[at:]


def joined(parts: list[tuple[int, bytes]], rest: bytes) -> bytes:
    return b"\xff\xd8" + b"".join(segment(*part) for part in parts) + rest


def _adobe(transform: int) -> tuple[int, bytes]:
    return 0xEE, b"Adobe" + struct.pack(">HHHB", 100, 0, 0, transform)


def _icc(icc: bytes, kind: str) -> list[tuple[int, bytes]]:
    """The markers of a profile, in one piece or in several, also in the wrong order or number."""
    head = b"ICC_PROFILE\0"
    if kind == "one piece":
        return [(0xE2, head + b"\1\1" + icc)]
    cut = len(icc) // 2
    pieces = [(0xE2, head + b"\1\2" + icc[:cut]), (0xE2, head + b"\2\2" + icc[cut:])]
    if kind == "reversed pieces":
        pieces.reverse()
    if kind == "piece missing":
        pieces.pop()
    if kind == "twice":
        pieces = [(0xE2, head + b"\1\1" + icc)] * 2
    return pieces


def _first(draw: Draw, content: Content) -> bytes:
    """The first picture of the file, which holds the subject."""
    kind = draw.choose(
        "JPEG samples",
        (
            "RGB",
            "grey",
            "CMYK",
            "CMYK inverted",
            "YCCK marker",
            "RGB components",
            "Adobe marker 0 on YCbCr",
            "YCbCr named R, G, B",
            "no JFIF marker",
        ),
        0.5,
    )
    icc, treatment = colour.choose(draw)
    # JPEG does not keep single levels.
    if treatment.startswith(("faint", "dithered")) and kind not in ("RGB", "grey"):
        kind = draw.choices["JPEG samples"] = "RGB"
    image = treated(content.subject, treatment)
    options: dict = {"progressive": draw.flag("JPEG progressive", 0.25), "optimize": draw.flag("JPEG optimised", 0.2)}
    if treatment != "whole":
        options |= {"quality": 100, "subsampling": 0}
    elif kind in ("RGB", "no JFIF marker"):
        options["subsampling"] = draw.choose("JPEG sampling", ("4:2:0", "4:2:2", "4:4:4"), 0.4)
    if draw.flag("JPEG restart markers", 0.15):
        options["restart_marker_blocks"] = 7
    if draw.flag("JPEG quality 20", 0.1) and treatment == "whole":
        options["quality"] = 20
    if kind == "RGB components":
        options["keep_rgb"] = True
    if kind == "grey":
        image = image.convert("L")
    elif kind.startswith(("CMYK", "YCCK")):
        image = image.convert("CMYK")
        if kind == "CMYK inverted":
            image = Image.fromarray(255 - np.asarray(image), "CMYK")
    parts, rest = segments(encoded(image, **options))
    if kind == "YCCK marker":
        parts = [part for part in parts if part[0] != 0xEE] + [_adobe(2)]
    if kind == "Adobe marker 0 on YCbCr":
        parts = [part for part in parts if part[0] != 0xE0] + [_adobe(0)]
    if kind in ("no JFIF marker", "YCbCr named R, G, B"):
        parts = [part for part in parts if part[0] != 0xE0]
    if kind == "YCbCr named R, G, B":
        frame = next(place for place, part in enumerate(parts) if part[0] in (0xC0, 0xC2))
        data = bytearray(parts[frame][1])
        data[6], data[9], data[12] = b"RGB"
        scan = bytearray(rest)
        scan[5], scan[7], scan[9] = b"RGB"
        parts[frame], rest = (parts[frame][0], bytes(data)), bytes(scan)
    block = exif.choose(draw, content.subject if draw.flag("subject in the thumbnail", 0.2) else content.cover)
    if block:
        parts.insert(0, (0xE1, b"Exif\0\0" + block))
        if draw.flag("EXIF marker twice", 0.15):
            parts.insert(1, (0xE1, b"Exif\0\0" + exif.tiff_block([(exif.ORIENTATION, 3, 8)])))
    if icc:
        pieces = draw.choose(
            "JPEG profile in", ("one piece", "pieces", "reversed pieces", "piece missing", "twice"), 0.6
        )
        parts[0:0] = _icc(icc, pieces)
    return joined(parts, rest)


def still(draw: Draw, content: Content) -> bytes:
    """A JPEG file with one picture; for some of them, more bytes around it."""
    file = _first(draw, content)
    start = draw.choose(
        "JPEG start", ("usual", "two starts", "fill bytes", "comment of zeros", "another JPEG in a comment"), 0.75
    )
    if start == "two starts":
        file = b"\xff\xd8" + file
    elif start == "fill bytes":
        file = b"\xff\xd8\xff\xff\xff" + file[2:]
    elif start == "comment of zeros":
        file = b"\xff\xd8" + segment(0xFE, bytes(3000)) + file[2:]
    elif start == "another JPEG in a comment":
        file = b"\xff\xd8" + segment(0xFE, encoded(content.cover.resize((80, 60)))[:65000]) + file[2:]
    return file


def several(draw: Draw, content: Content) -> bytes:
    """A multi-picture file (MPO): a cover, and the subject as one of the following pictures."""
    count = int(draw.choose("MPO pictures", ("2", "3", "6"), 0.6))
    place = draw.choose("MPO subject", ("second", "last", "first"), 0.5)
    images = [content.cover] * count
    images[{"second": 1, "last": -1, "first": 0}[place]] = content.subject
    file = io.BytesIO()
    images[0].save(file, "MPO", save_all=True, append_images=images[1:], quality=88)
    made = file.getvalue()
    damage = draw.choose("MPO index", ("right", "one picture announced", "wrong offsets", "index removed"), 0.5)
    at = made.find(b"MPF\0")
    if damage == "index removed":
        made = made.replace(b"MPF\0", b"XPF\0", 1)
    elif damage == "one picture announced" and at > 0:
        entry = made.find(struct.pack("<HHI", 0xB001, 4, 1), at)
        big = made.find(struct.pack(">HHI", 0xB001, 4, 1), at)
        if entry > 0:
            made = made[: entry + 8] + struct.pack("<I", 1) + made[entry + 12 :]
        elif big > 0:
            made = made[: big + 8] + struct.pack(">I", 1) + made[big + 12 :]
    elif damage == "wrong offsets" and at > 0:
        made = made[: at + 66] + bytes(12) + made[at + 78 :]
    return made
