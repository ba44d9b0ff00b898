# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Files that are built to hurt whoever reads them: sizes that cannot be, structures without end, bombs, two formats in one.

Each maker returns the bytes of a file and the verdicts or codes that it may get; none of them is a crash, and only what
can be shown whole may be judged."""

import struct
import zlib

from support.png import SIGNATURE, _chunk, _header

# A code, or "judged" for a verdict.
REFUSED = {"malformedMedia", "limitExceeded", "unsupportedMedia", "ambiguousMedia"}
SLOW = REFUSED | {"timedOut"}


def box(kind, *content):
    body = b"".join(content)
    return struct.pack(">I", 8 + len(body)) + kind + body


def full_box(kind, *content, version=0, flags=0):
    return box(kind, struct.pack(">I", version << 24 | flags), *content)


def pixels(width=8, height=8):
    """The image data of a small grey picture, after the header."""
    return _chunk(b"IDAT", zlib.compress((b"\0" + b"\x80" * 3 * width) * height)) + _chunk(b"IEND", b"")


def header_bombs():
    yield "huge.png", _header(65_535, 65_535, 8, 2) + pixels(), {"limitExceeded"}
    yield "impossible.png", _header(2**31 - 1, 2**31 - 1, 8, 2) + pixels(), REFUSED
    frame = struct.pack(">BHHB", 8, 65_500, 65_500, 3) + bytes((1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0))
    yield ("huge.jpg", b"\xff\xd8\xff\xc0" + struct.pack(">H", len(frame) + 2) + frame + b"\xff\xda" + bytes(64),
           REFUSED)
    yield ("huge.gif", b"GIF89a" + struct.pack("<HHBBB", 65_535, 65_535, 0, 0, 0) + b"\x2c"
           + struct.pack("<HHHHB", 0, 0, 65_535, 65_535, 0) + b"\x08\x01\x00\x00\x3b", REFUSED)
    canvas = struct.pack("<I", 0)[:4] + struct.pack("<I", 16_383)[:3] + struct.pack("<I", 16_383)[:3]
    vp8x = b"VP8X" + struct.pack("<I", 10) + canvas
    yield "huge.webp", b"RIFF" + struct.pack("<I", 4 + len(vp8x)) + b"WEBP" + vp8x, REFUSED
    yield ("huge.bmp", b"BM" + struct.pack("<IHHI", 100, 0, 0, 54)
           + struct.pack("<IiiHHIIiiII", 40, 2**31 - 1, 2**31 - 1, 1, 24, 0, 0, 0, 0, 0, 0) + bytes(46), REFUSED)
    entries = [(256, 4, 1, 1_000_000), (257, 4, 1, 1_000_000), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1),
               (273, 4, 1, 8), (277, 3, 1, 1), (278, 4, 1, 1_000_000), (279, 4, 1, 2**32 - 1)]
    yield "huge.tiff", tiff([entries]), REFUSED
    ispe = full_box(b"ispe", struct.pack(">II", 2**31, 2**31))
    yield "huge.heic", heic(ispe), REFUSED


def tiff(directories, next_of_last=0):
    """A little-endian file with these directories, one behind the other."""
    result = bytearray(b"II*\0" + struct.pack("<I", 8))
    for index, entries in enumerate(directories):
        result += struct.pack("<H", len(entries))
        for tag, kind, count, value in entries:
            result += struct.pack("<HHII", tag, kind, count, value)
        following = len(result) + 4 if index + 1 < len(directories) else next_of_last
        result += struct.pack("<I", following)
    return bytes(result)


def heic(*properties, references=b"", items=1):
    """A file of so many items without data, which all have these properties."""
    infe = b"".join(full_box(b"infe", struct.pack(">HH", index + 1, 0), b"hvc1" if items == 1 else b"grid", b"\0",
                             version=2) for index in range(items))
    associations = b"".join(struct.pack(">HB", index + 1, len(properties)) + bytes(range(1, len(properties) + 1))
                            for index in range(items))
    meta = full_box(
        b"meta", full_box(b"hdlr", bytes(4), b"pict", bytes(13)), full_box(b"pitm", struct.pack(">H", 1)),
        full_box(b"iinf", struct.pack(">H", items), infe),
        full_box(b"iloc", b"\x44\x00", struct.pack(">H", items), b"".join(
            struct.pack(">HHHII", index + 1, 0, 1, 0, 8) for index in range(items))),
        box(b"iprp", box(b"ipco", *properties), full_box(b"ipma", struct.pack(">I", items), associations)), references)
    return box(b"ftyp", b"heic", bytes(4), b"mif1heic") + meta + box(b"mdat", bytes(64))


def nesting():
    small = [(256, 4, 1, 4), (257, 4, 1, 4), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8),
             (277, 3, 1, 1), (278, 4, 1, 4), (279, 4, 1, 16)]
    yield "loop.tiff", tiff([small], next_of_last=8), SLOW | {"judged"}
    yield "directories.tiff", tiff([small] * 20_000), SLOW | {"judged"}
    # A directory below itself is found once, and judged.
    yield "below.tiff", tiff([small + [(330, 4, 1, 8)]]), SLOW | {"judged"}
    inner = b""
    for _ in range(100_000):
        inner = struct.pack(">I", min(8 + len(inner), 2**32 - 1)) + b"moov" + inner[:900_000]
    yield "nested.mp4", box(b"ftyp", b"isom", bytes(4), b"isom") + inner, SLOW
    yield "endless.mp4", box(b"ftyp", b"isom", bytes(4), b"isom") + struct.pack(">I", 0) + b"moov" * 10_000, SLOW
    # A grid whose tiles are grids, and at last itself.
    tiles = full_box(b"iref", b"".join(
        box(b"dimg", struct.pack(">HH", index + 1, 4), *(struct.pack(">H", (index + step) % 50 + 1) for step in range(4)))
        for index in range(50)))
    yield "grids.heic", heic(full_box(b"ispe", struct.pack(">II", 64, 64)), references=tiles, items=50), SLOW
    table = full_box(b"stts", struct.pack(">I", 2**32 - 1), bytes(64))
    yield ("entries.mp4", box(b"ftyp", b"isom", bytes(4), b"isom")
           + box(b"moov", box(b"trak", box(b"mdia", box(b"minf", box(b"stbl", table))))), SLOW)


def many_pictures():
    frame = b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00"
    control = b"\x21\xf9\x04\x00\x02\x00\x00\x00"
    start = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    yield "frames.gif", start + (control + frame) * 100_000 + b"\x3b", SLOW | {"judged"}
    actl = _chunk(b"acTL", struct.pack(">II", 2**31 - 1, 0))
    yield "frames.png", _header(8, 8, 8, 2) + actl + pixels(), SLOW | {"judged"}


def metadata_bombs():
    zeros = zlib.compressobj(9)
    bomb = b"".join(zeros.compress(bytes(1 << 20)) for _ in range(512)) + zeros.flush()
    yield ("profile.png", _header(8, 8, 8, 2) + _chunk(b"iCCP", b"x\0\0" + bomb) + pixels(), SLOW | {"judged"})
    yield ("text.png", _header(8, 8, 8, 2) + b"".join(_chunk(b"zTXt", b"x\0\0" + bomb) for _ in range(20)) + pixels(),
           SLOW | {"judged"})
    yield "exif.png", _header(8, 8, 8, 2) + _chunk(b"eXIf", b"II*\0" + bytes(50_000_000)) + pixels(), SLOW | {"judged"}
    # Entries that claim four thousand million values each.
    exif = b"II*\0\x08\0\0\0" + struct.pack("<H", 5_000) + struct.pack("<HHII", 274, 12, 2**32 - 1, 2**32 - 1) * 5_000
    segment = b"Exif\0\0" + exif[:65_000]
    yield ("exif.jpg", b"\xff\xd8" + (b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment) * 100 + b"\xff\xd9",
           SLOW)
    black = zlib.compressobj(9)
    row = bytes(1 + 15_000 // 8)
    data = b"".join(black.compress(row) for _ in range(15_000)) + black.flush()
    yield ("black.png", SIGNATURE + _chunk(b"IHDR", struct.pack(">IIBBBBB", 15_000, 15_000, 1, 0, 0, 0, 0))
           + _chunk(b"IDAT", data) + _chunk(b"IEND", b""), SLOW | {"judged"})


def everything():
    for maker in (header_bombs, nesting, many_pictures, metadata_bombs):
        yield from maker()
