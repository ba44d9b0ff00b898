# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Writes PNG files of any size in little time. Source: PNG specification, third edition."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
RGB, RGBA = 2, 6
BANDS = {RGB: 3, RGBA: 4}
PAETH = 4


def _chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _header(width, height, depth, colour, interlace=0):
    return SIGNATURE + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace))


def write_claim(path, width, height):
    """Writes a small file whose header claims a size; only a few bytes of pixels follow."""
    with open(path, "wb") as file:
        file.write(_header(width, height, 8, RGB) + _chunk(b"IDAT", zlib.compress(bytes(64))) + _chunk(b"IEND", b""))


def write_slow(path, size):
    """Writes a small file that takes long to decode: a square of 16-bit RGBA pixels with the costliest filter."""
    row = bytes([PAETH]) + bytes(range(256)) * (size * BANDS[RGBA] * 2 // 256 + 1)
    row = row[:1 + size * BANDS[RGBA] * 2]
    # A block that ends in a full flush means the same wherever it stands, so one is coded and repeated.
    block_rows = 50
    block = row * block_rows
    compressor = zlib.compressobj(1)
    start = compressor.compress(b"") + compressor.flush(zlib.Z_FULL_FLUSH)
    coded = compressor.compress(block) + compressor.flush(zlib.Z_FULL_FLUSH)
    check = 1
    blocks = size // block_rows
    for _ in range(blocks):
        check = zlib.adler32(block, check)
    final = zlib.compressobj(1, wbits=-15).flush()
    stream = start + coded * blocks + final + struct.pack(">I", check)
    with open(path, "wb") as file:
        file.write(_header(size, blocks * block_rows, 16, RGBA) + _chunk(b"IDAT", stream) + _chunk(b"IEND", b""))


def write_interlaced(path, size):
    """Writes a black square with the interlacing of Adam7, which no decoder can read row by row."""
    passes = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
    compressor = zlib.compressobj(1)
    stream = []
    for left, top, right, down in passes:
        columns, rows = len(range(left, size, right)), len(range(top, size, down))
        stream += [compressor.compress(bytes(1 + columns * BANDS[RGB])) for _ in range(rows)]
    with open(path, "wb") as file:
        file.write(_header(size, size, 8, RGB, interlace=1))
        file.write(_chunk(b"IDAT", b"".join(stream) + compressor.flush()) + _chunk(b"IEND", b""))


def write(path, width, height, rows):
    """Writes a picture of 8-bit RGB rows."""
    compressor = zlib.compressobj(1)
    stream = b"".join(compressor.compress(b"\0" + row) for row in rows) + compressor.flush()
    with open(path, "wb") as file:
        file.write(_header(width, height, 8, RGB) + _chunk(b"IDAT", stream) + _chunk(b"IEND", b""))
