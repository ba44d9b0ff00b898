# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Changes of MP4 and MOV files box by box: handlers, flags, edit lists, sample descriptions and matrices."""

import struct
from collections.abc import Callable

from .boxes import box, children, full
from .draw import Draw

HANDLERS = {
    "none": ("none",),
    "contradicting": ("sound in mdia, video in minf", "video in mdia, sound in minf"),
    "sound": ("sound", "sound in both"),
    "other kind": ("text", "subtitles", "metadata", "picture", "auxiliary", "unknown"),
}
NAMES = {
    "text": b"text",
    "subtitles": b"sbtl",
    "metadata": b"meta",
    "picture": b"pict",
    "auxiliary": b"auxv",
    "unknown": b"xxxx",
}
EDITS = {
    "none": ("none",),
    "empty": ("empty first", "shows nothing"),
    "skips": ("skips half", "only the last second", "negative"),
    "odd": ("rate 0", "twice", "removed"),
}
DESCRIPTIONS = {
    "none": ("none",),
    "two": ("two, second used", "two, unknown first", "two, sound first"),
    "wrong": ("index 0", "index 9", "other format"),
}
MATRICES = {
    "none": (1, 0, 0, 1),
    "90": (0, 1, -1, 0),
    "180": (-1, 0, 0, -1),
    "empty": (0, 0, 0, 0),
    "tiny": (1 / 65536, 0, 0, 1 / 65536),
}
AROUND = {"none": ("none",), "boxes": ("index twice", "free box", "unknown box", "another file type")}
Change = Callable[[bytes], bytes]


def changed(data: bytes, path: tuple[bytes, ...], change: Change) -> bytes:
    """A box with the boxes at a path below it changed; the path is that of types."""
    head = 12 if data[4:8] == b"meta" else 8
    if not path:
        return change(data)
    parts = [changed(whole, path[1:], change) if name == path[0] else whole for name, whole in children(data, head)]
    return box(data[4:8], *parts)


def handler(kind: bytes) -> bytes:
    return full(b"hdlr", 0, 0, bytes(4) + kind + bytes(12) + b"h\0")


def _handled(track: bytes, kind: str) -> bytes:
    outer, inner = {
        "sound in mdia, video in minf": (b"soun", b"vide"),
        "sound in both": (b"soun", b"soun"),
        "sound": (b"soun", b""),
        "video in mdia, sound in minf": (b"vide", b"soun"),
    }.get(kind, (NAMES.get(kind, b"vide"), b""))

    def inside(minf: bytes) -> bytes:
        parts = []
        for name, whole in children(minf, 8):
            if name == b"vmhd" and outer == b"soun":
                whole = full(b"smhd", 0, 0, bytes(4))
            parts.append(whole)
        return box(b"minf", *parts[:1], *([handler(inner)] if inner else []), *parts[1:])

    track = changed(track, (b"mdia", b"hdlr"), lambda _: handler(outer))
    return changed(track, (b"mdia", b"minf"), inside)


def _edited(track: bytes, kind: str, timescale: int, duration: int) -> bytes:
    """The track with another edit list. Durations are in the movie's time scale, media times in the track's."""
    media_scale = 16384 if b"mdhd" not in track else struct.unpack_from(">I", track, track.find(b"mdhd") + 16)[0]
    length = 3 * media_scale
    rows = {
        "empty first": [(timescale, -1, 1), (duration, 0, 1)],
        "skips half": [(duration // 2, length // 2, 1)],
        "shows nothing": [(0, 0, 1)],
        "rate 0": [(duration, length // 2, 0)],
        "twice": [(duration, 0, 1)] * 2,
        "only the last second": [(timescale, length * 2 // 3, 1)],
        "negative": [(duration, -5, 1)],
    }.get(kind, [])
    parts = [whole for name, whole in children(track, 8) if name != b"edts"]
    if rows:
        body = b"".join(struct.pack(">IiHH", *row, 0) for row in rows)
        parts.insert(1, box(b"edts", full(b"elst", 0, 0, struct.pack(">I", len(rows)), body)))
    return box(b"trak", *parts)


def _described(track: bytes, kind: str) -> bytes:
    """The track with other sample descriptions, and with the index by which its chunks name one."""

    def descriptions(stsd: bytes) -> bytes:
        entry = stsd[16:]
        others = {
            "two, unknown first": entry[:4] + b"xxxx" + entry[8:],
            "two, sound first": box(b"mp4a", bytes(6) + b"\0\1" + bytes(8) + struct.pack(">HHIHH", 2, 16, 0, 44100, 0)),
            "two, second used": entry,
        }
        if kind == "other format":
            return full(b"stsd", 0, 0, struct.pack(">I", 1), entry[:4] + b"xxxx" + entry[8:])
        return full(b"stsd", 0, 0, struct.pack(">I", 2), others[kind], entry) if kind in others else stsd

    def chunks(stsc: bytes) -> bytes:
        number = {"index 0": 0, "index 9": 9}.get(kind, 2 if kind.startswith("two") else 1)
        data = bytearray(stsc)
        for at in range(16, len(data), 12):
            struct.pack_into(">I", data, at + 8, number)
        return bytes(data)

    path = (b"mdia", b"minf", b"stbl")
    return changed(changed(track, (*path, b"stsd"), descriptions), (*path, b"stsc"), chunks)


def _header(draw: Draw, track: bytes) -> bytes:
    """The track's header with other flags, group, matrix or size."""
    flags = {"usual": 3, "disabled": 0, "enabled only": 1, "not in the movie": 9}[
        draw.grouped(
            "track flags", {"usual": ("usual",), "others": ("disabled", "enabled only", "not in the movie")}, 0.5
        )
    ]
    group = int(draw.choose("alternate group", ("0", "1"), 0.7))
    matrix = MATRICES[
        draw.grouped("track matrix", {"none": ("none",), "turned": ("90", "180"), "no area": ("empty", "tiny")}, 0.4)
    ]
    size = draw.choose("track size", ("right", "0", "1"), 0.65)

    def header(tkhd: bytes) -> bytes:
        data = bytearray(tkhd)
        at = 8 if data[8] == 0 else 20
        data[9:12] = flags.to_bytes(3, "big")
        struct.pack_into(">H", data, at + 4 + 30, group)
        for place, value in zip((0, 1, 3, 4), matrix):
            struct.pack_into(">i", data, len(data) - 44 + 4 * place, round(value * 65536))
        if size != "right":
            struct.pack_into(">II", data, len(data) - 8, int(size) << 16, int(size) << 16)
        return bytes(data)

    return changed(track, (b"tkhd",), header)


def edited(draw: Draw, data: bytes, number: int) -> bytes:
    """The file with the track of this number changed. The index has to lie behind the data, so that offsets stay."""
    movie = data.rfind(b"moov") - 4
    if movie < 0 or movie + int.from_bytes(data[movie : movie + 4], "big") != len(data):
        return data
    handlers = draw.grouped("handlers", HANDLERS, 0.3)
    edits = draw.grouped("edit list", EDITS, 0.35)
    descriptions = draw.grouped("sample descriptions", DESCRIPTIONS, 0.5)
    scale, duration = struct.unpack_from(">II", data, data.find(b"mvhd", movie) + 16)
    seen, parts = -1, []
    for name, whole in children(data[movie:], 8):
        if name == b"trak":
            seen += 1
            if seen == number:
                whole = _header(draw, whole)
                whole = whole if edits == "none" else _edited(whole, edits, scale, duration)
                whole = whole if descriptions == "none" else _described(whole, descriptions)
                whole = whole if handlers == "none" else _handled(whole, handlers)
        parts.append(whole)
    if draw.flag("user data", 0.2):
        parts.append(box(b"udta", box(b"name", b"test")))
    index = box(b"moov", *parts)
    more = draw.grouped("around the index", AROUND, 0.5)
    extra = {
        "free box": box(b"free", bytes(100)),
        "unknown box": box(b"xxxx", bytes(100)),
        "index twice": index,
        "another file type": box(b"ftyp", b"avif\0\0\0\0avif"),
    }.get(more, b"")
    return data[:movie] + extra + index
