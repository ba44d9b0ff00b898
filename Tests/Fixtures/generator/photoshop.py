# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""A writer of Photoshop files: a merged picture, and layers behind each other."""

import struct
import zlib

import numpy as np

BITMAP, GREY, INDEXED, RGB = 0, 1, 2, 3
RAW, RUNS, PACKED, DIFFERENCES = 0, 1, 2, 3


def write(rows, mode, depth=8, compression=RUNS, palette=b"", layers=(), resources=b"", block=False):
    """A file with planes of rows, each an array of bytes.

    Layers are pairs of planes and a compression, in their list or in a block of their own."""
    height = rows.shape[1]
    width = rows.shape[2] * 8 // depth if depth != 1 else rows.shape[2] * 8
    section = _layers(layers, block) if layers else b""
    return _file(rows, mode, depth, compression, palette, section, resources, width, height)


def bitmap(rows, width):
    """A file of two levels, with packed bits."""
    return _file(rows, BITMAP, 1, RUNS, b"", b"", b"", width, rows.shape[1])


def resource(kind, content):
    return b"8BIM" + struct.pack(">H", kind) + b"\0\0" + _section(content) + b"\0" * (len(content) % 2)


def _file(rows, mode, depth, compression, palette, layers, resources, width, height):
    header = b"8BPS" + struct.pack(">H6xHIIHH", 1, len(rows), height, width, depth, mode)
    return header + _section(palette) + _section(resources) + _section(layers) + _packed(rows, compression)


def _section(content):
    return struct.pack(">I", len(content)) + content


def _layers(layers, block):
    descriptions, data = b"", b""
    for planes, compression in layers:
        height, width = planes[0].shape
        descriptions += struct.pack(">IIIIH", 0, 0, height, width, len(planes))
        for number, plane in enumerate(planes):
            packed = _packed(plane[None], compression)
            # The fourth channel is opacity.
            descriptions += struct.pack(">hI", -1 if number == 3 else number, len(packed))
            data += packed
        descriptions += b"8BIMnorm\xff\0\0\0" + _section(b"")
    content = struct.pack(">h", len(layers)) + descriptions + data
    if block:
        return _section(b"") + _section(b"") + b"8BIMLayr" + _section(content)
    return _section(content) + _section(b"")


def _packed(planes, compression):
    """Planes behind the number of their compression."""
    head = struct.pack(">H", compression)
    if compression == RUNS:
        rows = [_runs(row) for plane in planes for row in plane]
        return head + b"".join(struct.pack(">H", len(row)) for row in rows) + b"".join(rows)
    if compression == DIFFERENCES:
        planes = np.concatenate([planes[..., :1], np.diff(planes, axis=-1)], axis=-1)
    raw = planes.tobytes()
    return head + (raw if compression == RAW else zlib.compress(raw))


def _runs(row):
    """A row as PackBits: runs of two and more equal bytes, and all others by themselves."""
    out, position = b"", 0
    while position < len(row):
        length = 1
        while length < 128 and position + length < len(row) and row[position + length] == row[position]:
            length += 1
        out += bytes([257 - length if length > 1 else 0, row[position]])
        position += length
    return out
