# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""JPEG files whose blocks have other means before clipping than after it.

A decoder that reduces a picture by the means of its blocks sees a flat picture; a viewer sees the subject. The blocks
are coded here, since encoders clip. Each block is followed by a restart marker, so that it is a whole number of bytes.
"""

import numpy as np
from PIL import Image

from .content import ordered
from .draw import Draw
from .jpeg import segment

SIDE = 8
BASIS = np.array(
    [
        [(np.sqrt(1 / 8) if u == 0 else 0.5) * np.cos((2 * x + 1) * u * np.pi / 16) for x in range(SIDE)]
        for u in range(SIDE)
    ]
)
ZIGZAG = sorted(
    range(64), key=lambda place: (place // 8 + place % 8, place // 8 if (place // 8 + place % 8) % 2 else place % 8)
)
STEP = 4


def _tables() -> tuple[bytes, bytes, dict[int, tuple[int, int]], dict[int, tuple[int, int]]]:
    """The Huffman tables: 12 codes of 4 bits for DC, and all codes of AC with 9 bits."""
    differences = bytes([0, 0, 0, 12] + [0] * 12) + bytes(range(12))
    symbols = [run << 4 | size for run in range(16) for size in range(1, 11)] + [0x00, 0xF0]
    coefficients = bytes([0] * 8 + [len(symbols)] + [0] * 7) + bytes(symbols)
    return (
        differences,
        coefficients,
        {value: (value, 4) for value in range(12)},
        {symbol: (code, 9) for code, symbol in enumerate(symbols)},
    )


DIFFERENCES, COEFFICIENTS, DC, AC = _tables()


def _number(value: int) -> tuple[int, int]:
    size = abs(value).bit_length()
    return size, value if value >= 0 else value + (1 << size) - 1


def _coded(levels: np.ndarray) -> list[tuple[int, int]]:
    """The codes (bits, length) of one block of quantised coefficients, with a difference from 0."""
    values = [int(levels.flat[place]) for place in ZIGZAG]
    size, bits = _number(values[0])
    codes = [DC[size], (bits, size)]
    last = max((place for place in range(1, 64) if values[place]), default=0)
    run = 0
    for value in values[1 : last + 1]:
        if value == 0:
            run += 1
            continue
        codes += [AC[0xF0]] * (run // 16)
        size, bits = _number(value)
        codes += [AC[(run % 16) << 4 | size], (bits, size)]
        run = 0
    return codes + ([AC[0]] if last < 63 else [])


def _bytes(codes: list[tuple[int, int]]) -> bytes:
    value = length = 0
    for bits, size in codes:
        value, length = value << size | bits, length + size
    spare = -length % 8
    return (value << spare | (1 << spare) - 1).to_bytes((length + spare) // 8, "big").replace(b"\xff", b"\xff\0")


def _quantised(block: np.ndarray, level: float, kept: int) -> np.ndarray:
    """The coefficients of a block whose mean is `level`; the lowest `kept` of each direction say nothing else."""
    wave = BASIS @ block @ BASIS.T
    wave[:kept, :kept] = 0
    wave[0, 0] = level * 8
    return np.clip(np.round(wave / STEP), -1023, 1023).astype(int)


def _spikes(source, sign: int) -> np.ndarray:
    """A block with the mean 0, of which a fifth lies far on one side."""
    block = np.full(64, sign * 13 * 480 / 51)
    block[source.sample(range(64), 13)] = -sign * 480
    return block.reshape(SIDE, SIDE)


def _checks(strength: float) -> np.ndarray:
    rows, columns = np.indices((SIDE, SIDE))
    return np.where((rows + columns) % 2 == 0, strength, -strength)


def _blocks(draw: Draw, kind: str, kept: int) -> tuple[int, list[list[np.ndarray]]]:
    """The number of components, and for dark and light the coefficients of each."""
    source = draw.source("blocks")
    if kind == "luma clips":
        return 1, [[_quantised(_spikes(source, -1), 0, kept)], [_quantised(_spikes(source, 1), 0, kept)]]
    if kind == "luma wraps":
        # libjpeg shows both as white; FFmpeg's transform has 16 bits.
        flat = np.zeros((SIDE, SIDE))
        return 1, [[_quantised(flat, 127, kept)], [_quantised(flat, 511, kept)]]
    # Only the conversion to RGB clips: Cb and Cr stay within their range, and luma is flat and light.
    luma = {"only RGB clips, light": 100, "only RGB clips, dark": -100}[kind]
    flat, wave = np.zeros((SIDE, SIDE)), _checks(100)
    light = _quantised(flat, luma, kept)
    return 3, [
        [light, _quantised(wave, 0, kept), _quantised(wave, 0, kept)],
        [light, _quantised(flat, 0, kept), _quantised(flat, 0, kept)],
    ]


def clipping(draw: Draw, subject: Image.Image) -> bytes:
    """A JPEG file of which decoding in full, or by FFmpeg, shows the subject, and decoding at 1/8 (or 1/4) shows nothing."""
    kind = draw.choose("JPEG blocks", ("luma clips", "only RGB clips, light", "only RGB clips, dark", "luma wraps"))
    kept, across = (2, 144) if draw.choose("hidden at", ("1/8", "1/4")) == "1/4" else (1, 272)
    picture = ordered(subject.resize((across, across), Image.Resampling.BILINEAR))
    components, coefficients = _blocks(draw, kind, kept)
    coded = [_bytes([code for levels in block for code in _coded(levels)]) for block in coefficients]
    marked = [[each + bytes([0xFF, 0xD0 + number]) for number in range(8)] for each in coded]
    body = b"".join(marked[light][place % 8] for place, light in enumerate(picture.flatten().tolist()))
    names = range(1, components + 1)
    frame = bytes([8]) + (across * SIDE).to_bytes(2, "big") * 2 + bytes([components])
    return b"".join(
        [
            b"\xff\xd8",
            segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0"),
            segment(0xDB, b"\0" + bytes([STEP]) * 64),
            segment(0xC0, frame + b"".join(bytes([name, 0x11, 0]) for name in names)),
            segment(0xC4, b"\0" + DIFFERENCES),
            segment(0xC4, b"\x10" + COEFFICIENTS),
            segment(0xDD, b"\0\1"),
            segment(0xDA, bytes([components]) + b"".join(bytes([name, 0]) for name in names) + b"\0\x3f\0"),
            body[:-2],
            b"\xff\xd9",
        ]
    )
