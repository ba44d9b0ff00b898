# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""A PNG writer for 16-bit pictures and animations, and a way to add chunks."""

import struct
import zlib

GREY, RGB, GREY_ALPHA, RGBA = 0, 2, 4, 6
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write(pixels, colour_type):
    """A PNG of a uint8 or uint16 array."""
    height, width = pixels.shape[:2]
    header = struct.pack(">IIBBBBB", width, height, pixels.dtype.itemsize * 8, colour_type, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", _packed(pixels)) + chunk(b"IEND", b"")


def animation(parts, controls, size, milliseconds):
    """An animated PNG of 16-bit RGBA arrays, each with (x, y, disposal, blending); the first is the picture."""
    body, number = b"", 0
    for part, (x, y, disposal, blending) in zip(parts, controls):
        height, width = part.shape[:2]
        body += chunk(b"fcTL", struct.pack(
            ">IIIIIHHBB", number, width, height, x, y, milliseconds, 1000, disposal, blending))
        number += 1
        if number == 1:
            body += chunk(b"IDAT", _packed(part))
        else:
            body += chunk(b"fdAT", struct.pack(">I", number) + _packed(part))
            number += 1
    header = struct.pack(">IIBBBBB", *size, 16, RGBA, 0, 0, 0)
    return (SIGNATURE + chunk(b"IHDR", header) + chunk(b"acTL", struct.pack(">II", len(parts), 0)) + body
            + chunk(b"IEND", b""))


def _packed(pixels):
    """The rows without filters, compressed."""
    raw = pixels.astype(pixels.dtype.newbyteorder(">"))
    return zlib.compress(b"".join(b"\0" + row.tobytes() for row in raw), 9)
