# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Writes baseline JPEG files of any size in little time: eight rows of blocks are coded and repeated.

Each row of blocks is a restart interval, whose markers count from 0 to 7 and again from 0, so that eight rows can be
repeated as bytes. Source: ITU-T T.81, annexes B and F.
"""

import random
import struct

# The blocks of a minimum coded unit with 2 x 2 subsampled colour: four of brightness, two of colour.
UNIT = 16
COMPONENTS = (0, 0, 0, 0, 1, 2)
# Codes of equal length, short of the one that is all ones. Each AC symbol is a run of zeros and a number of bits.
DC_LENGTH, DC_SYMBOLS = 4, list(range(12))
AC_LENGTH, AC_SYMBOLS = 3, [0x00, 0x01, 0x02, 0x03, 0x11, 0x12, 0x21]
END_OF_BLOCK = format(AC_SYMBOLS.index(0), f"0{AC_LENGTH}b")


def _segment(marker, content):
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


def _table(kind, length, symbols):
    counts = [len(symbols) if size == length else 0 for size in range(1, 17)]
    return _segment(0xC4, bytes([kind, *counts, *symbols]))


def header(width, height):
    """Everything before the coded blocks."""
    per_row = (width + UNIT - 1) // UNIT
    frame = struct.pack(">BHHB", 8, height, width, 3) + bytes([1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0])
    return b"".join([
        b"\xff\xd8",
        _segment(0xE0, b"JFIF\0" + bytes([1, 1, 0, 0, 1, 0, 1, 0, 0])),
        _segment(0xDB, bytes([0, *[16] * 64])),
        _segment(0xC0, frame),
        _table(0x00, DC_LENGTH, DC_SYMBOLS),
        _table(0x10, AC_LENGTH, AC_SYMBOLS),
        _segment(0xDD, struct.pack(">H", per_row)),
        _segment(0xDA, bytes([3, 1, 0, 2, 0, 3, 0, 0, 63, 0])),
    ])


def _bits(value, size):
    """A number as its sign and size are coded: negative ones count up from zero."""
    return format(value if value > 0 else value + (1 << size) - 1, f"0{size}b") if size else ""


def _row(width, numbers):
    """One row of blocks with the detail of an ordinary photograph: about six coefficients a block."""
    last = [0, 0, 0]
    level = [0, 0, 0]
    code = []
    for _ in range((width + UNIT - 1) // UNIT):
        for component in COMPONENTS:
            level[component] = max(-50, min(50, level[component] + numbers.randint(-6, 6)))
            difference = level[component] - last[component]
            last[component] = level[component]
            size = abs(difference).bit_length()
            code.append(format(DC_SYMBOLS.index(size), f"0{DC_LENGTH}b") + _bits(difference, size))
            for _ in range(numbers.randint(0, 10)):
                symbol = numbers.randrange(1, len(AC_SYMBOLS))
                size = AC_SYMBOLS[symbol] & 15
                value = numbers.randint(1 << (size - 1), (1 << size) - 1) * numbers.choice((-1, 1))
                code.append(format(symbol, f"0{AC_LENGTH}b") + _bits(value, size))
            code.append(END_OF_BLOCK)
    text = "".join(code)
    text += "1" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8, "big").replace(b"\xff", b"\xff\x00")


def write(path, width, height, seed=0):
    """Writes a picture of coloured noise."""
    numbers = random.Random(seed)
    rows = [_row(width, numbers) + bytes([0xFF, 0xD0 + index]) for index in range(8)]
    count = (height + UNIT - 1) // UNIT
    with open(path, "wb") as file:
        file.write(header(width, height))
        eight = b"".join(rows)
        for _ in range((count - 1) // 8):
            file.write(eight)
        rest = b"".join(rows[:(count - 1) % 8 + 1])
        # No marker stands behind the last row.
        file.write(rest[:-2] + b"\xff\xd9")


def write_claim(path, width, height):
    """Writes a small file whose header claims a size; only a few blocks follow."""
    with open(path, "wb") as file:
        file.write(header(width, height) + _row(64, random.Random(0)) + b"\xff\xd9")
