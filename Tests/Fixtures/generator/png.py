# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""A PNG writer for 16-bit pictures, and a way to add chunks."""

import struct
import zlib

GREY, RGB, GREY_ALPHA, RGBA = 0, 2, 4, 6
_BANDS = {GREY: 1, RGB: 3, GREY_ALPHA: 2, RGBA: 4}


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write(pixels, colour_type):
    """A PNG of a uint8 or uint16 array."""
    height, width = pixels.shape[:2]
    depth = pixels.dtype.itemsize * 8
    raw = pixels.astype(pixels.dtype.newbyteorder(">")).tobytes()
    stride = width * _BANDS[colour_type] * depth // 8
    lines = b"".join(b"\0" + raw[y * stride:(y + 1) * stride] for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, 9))
            + chunk(b"IEND", b""))
