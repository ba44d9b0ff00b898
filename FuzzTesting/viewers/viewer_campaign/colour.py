# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Colour profiles, written byte by byte: ordinary ones, and ones under which a picture looks different."""

import struct
from typing import Any

from .draw import Draw

# Each kind, and the treatments of the picture with which it makes a difference.
PROFILES: dict[str, tuple[str, ...]] = {
    "none": ("whole",),
    "sRGB": ("whole",),
    "P3": ("whole",),
    "Adobe": ("whole",),
    "parametric": ("whole",),
    "constant": ("whole",),
    "constant light": ("whole",),
    "swapped primaries": ("whole",),
    "inverted": ("whole",),
    "steep dark": ("faint light", "dithered light"),
    "steep light": ("faint dark", "dithered dark"),
    "threshold": ("faint middle", "dithered middle"),
    "table": ("whole",),
    "constant table": ("whole",),
    "truncated": ("whole",),
    "wrong signature": ("whole",),
    "wrong offsets": ("whole",),
    "grey": ("whole",),
    "constant grey": ("whole",),
    "CMYK": ("whole",),
    "input class": ("whole",),
    "Lab connection": ("whole",),
}
Triple = tuple[float, float, float]
RED, GREEN, BLUE = (0.4360, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7139)
WHITE = (0.9642, 1.0, 0.8249)


def fixed(value: float) -> bytes:
    """A signed number with 16 bits behind the point."""
    return struct.pack(">i", round(value * 65536))


def _xyz(values: Triple) -> bytes:
    return b"XYZ \0\0\0\0" + b"".join(map(fixed, values))


def _table(values: list[int]) -> bytes:
    return b"curv\0\0\0\0" + struct.pack(f">I{len(values)}H", len(values), *values)


def _power(exponent: float) -> bytes:
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, min(65535, max(1, round(exponent * 256))))


def _parametric() -> bytes:
    return (
        b"para\0\0\0\0"
        + struct.pack(">HH", 3, 0)
        + b"".join(map(fixed, (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)))
    )


def _lookup(inputs: int, outputs: list[list[int]]) -> bytes:
    """A table of 8 bits (`mft1`) with two points in each direction; outputs in the order of the grid."""
    matrix = b"".join(map(fixed, (1, 0, 0, 0, 1, 0, 0, 0, 1)))
    ramp = bytes(range(256))
    grid = b"".join(bytes(each) for each in outputs)
    return b"mft1\0\0\0\0" + bytes([inputs, 3, 2, 0]) + matrix + ramp * inputs + grid + ramp * 3


def assemble(
    tags: list[tuple[bytes, bytes]],
    kind: bytes = b"mntr",
    space: bytes = b"RGB ",
    connection: bytes = b"XYZ ",
    version: int = 0x02100000,
) -> bytes:
    """A profile with these tags, beside those that every profile has."""
    description = b"desc\0\0\0\0" + struct.pack(">I", 5) + b"test\0" + bytes(78)
    tags = [(b"desc", description), (b"cprt", b"text\0\0\0\0none\0\0\0\0"), (b"wtpt", _xyz(WHITE)), *tags]
    offset = 128 + 4 + 12 * len(tags)
    table = body = b""
    for name, data in tags:
        data += bytes(-len(data) % 4)
        table += name + struct.pack(">II", offset + len(body), len(data))
        body += data
    header = struct.pack(">I4sI", offset + len(body), b"lcms", version) + kind + space + connection
    header += struct.pack(">6H", 2024, 1, 1, 0, 0, 0) + b"acsp" + bytes(28) + b"".join(map(fixed, WHITE))
    return header.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + body


def _matrix(curve: bytes, primaries: tuple[Triple, Triple, Triple] = (RED, GREEN, BLUE), **others: Any) -> bytes:
    tags = [(name, _xyz(values)) for name, values in zip((b"rXYZ", b"gXYZ", b"bXYZ"), primaries)]
    return assemble(tags + [(name, curve) for name in (b"rTRC", b"gTRC", b"bTRC")], **others)


def _grid(inputs: int, levels: tuple[int, int]) -> list[list[int]]:
    """Points from one lightness to the other, in Lab."""
    count = 2**inputs
    return [[levels[0] + (levels[1] - levels[0]) * bin(point).count("1") // inputs, 128, 128] for point in range(count)]


def profile(kind: str) -> bytes:
    """The bytes of a profile of a kind in PROFILES."""
    srgb = _parametric()
    simple = {
        "sRGB": lambda: _matrix(_power(2.2)),
        "parametric": lambda: _matrix(srgb, version=0x04200000),
        "P3": lambda: _matrix(
            srgb, ((0.5151, 0.2412, -0.0011), (0.2920, 0.6922, 0.0419), (0.1571, 0.0666, 0.7841)), version=0x04200000
        ),
        "Adobe": lambda: _matrix(
            _power(2.199), ((0.6097, 0.3111, 0.0195), (0.2053, 0.6257, 0.0609), (0.1492, 0.0632, 0.7446))
        ),
        "constant": lambda: _matrix(_table([0x3000, 0x3002])),
        "constant light": lambda: _matrix(_table([0xFFF0, 0xFFFF])),
        "swapped primaries": lambda: _matrix(_power(2.2), (BLUE, RED, GREEN)),
        "inverted": lambda: _matrix(_table([0xFFFF, 0])),
        "steep dark": lambda: _matrix(_power(166)),
        "steep light": lambda: _matrix(_power(0.1)),
        "threshold": lambda: _matrix(_table([0] * 128 + [0xFFFF] * 128)),
        "table": lambda: assemble([(b"A2B0", _lookup(3, _grid(3, (0, 255))))], connection=b"Lab "),
        "constant table": lambda: assemble([(b"A2B0", _lookup(3, _grid(3, (140, 141))))], connection=b"Lab "),
        "truncated": lambda: _matrix(_table([0x3000, 0x3002]))[:300],
        "wrong signature": lambda: _matrix(_table([0x3000, 0x3002])).replace(b"acsp", b"acsq"),
        "wrong offsets": lambda: _matrix(_table([0x3000, 0x3002])).replace(b"rTRC\0\0", b"rTRC\x7f\xff"),
        "grey": lambda: assemble([(b"kTRC", _power(2.2))], space=b"GRAY"),
        "constant grey": lambda: assemble([(b"kTRC", _table([0x3000, 0x3002]))], space=b"GRAY"),
        "CMYK": lambda: assemble(
            [(b"A2B0", _lookup(4, _grid(4, (255, 0)))), (b"B2A0", _lookup(3, _grid(3, (255, 0))))],
            kind=b"prtr",
            space=b"CMYK",
            connection=b"Lab ",
        ),
        "input class": lambda: _matrix(_table([0x3000, 0x3002]), kind=b"scnr"),
        "Lab connection": lambda: _matrix(_table([0x3000, 0x3002]), connection=b"Lab "),
    }
    return simple[kind]()


def choose(draw: Draw, plain: float = 0.5) -> tuple[bytes | None, str]:
    """A profile, or none, and a treatment of the picture that goes with it."""
    kind = draw.choose("profile", tuple(PROFILES), plain)
    treatment = draw.choose(f"treatment for {kind}", PROFILES[kind])
    return (None if kind == "none" else profile(kind)), treatment
