# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""AVIF and HEIC files: which item is primary, references between items, derived items, alpha, colours and counts."""

import struct

import numpy as np
from PIL import Image

from . import colour, samples
from .boxes import box, full
from .content import Content, treated
from .draw import Draw
from .heif_file import CODECS, File, Item, encoded

ARRANGEMENTS = (
    "one item",
    "primary is a thumbnail",
    "primary is auxiliary",
    "primary is depth",
    "primary is hidden",
    "second item",
    "thumbnail of the cover",
    "two frames",
    "two frames, subject first",
    "grid of two",
    "grid of one",
    "overlay",
    "identity",
    "identity",
    "group of alternatives",
    "primary unknown",
    "primary unknown with an alternative",
    "no primary",
    "primary twice",
    "primary missing",
    "many items",
    "many items",
    "many items",
    "many items",
    "auxiliary of the cover",
    "derived from the cover",
    "primary and its thumbnail",
)
ITEM_COUNTS = {
    "three": (3,),
    "some": (12, 99, 100, 101),
    "around 1,000": (999, 1000, 1001),
    "around 4,096": (4095, 4096, 4097),
}
ALPHA = b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0"
DEPTH = b"urn:mpeg:hevc:2015:auxid:2\0"
NCLX = {
    "sRGB": (1, 13, 6, 1),
    "P3": (12, 13, 6, 1),
    "linear": (1, 8, 6, 1),
    "PQ": (9, 16, 9, 1),
    "HLG": (9, 18, 9, 1),
    "limited range": (1, 13, 6, 0),
    "identity matrix": (1, 13, 0, 1),
}


def _size(width: int, height: int) -> tuple[bytes, bool]:
    return full(b"ispe", 0, 0, struct.pack(">II", width, height)), False


def _auxiliary(kind: bytes) -> tuple[bytes, bool]:
    return full(b"auxC", 0, 0, kind), True


def _coloured(draw: Draw, properties: list[tuple[bytes, bool]], icc: bytes | None) -> list[tuple[bytes, bool]]:
    """The properties with other colours."""
    kind = draw.choose("nclx", ("as encoded", "none", *NCLX), 0.7)
    if kind == "as encoded" and not icc:
        return properties
    others = [each for each in properties if each[0][4:8] != b"colr"]
    made = [each for each in properties if each[0][4:8] == b"colr"] if kind == "as encoded" else []
    if kind in NCLX:
        *values, whole = NCLX[kind]
        made = [(box(b"colr", b"nclx" + struct.pack(">HHHB", *values, whole << 7)), False)]
    profile = [(box(b"colr", b"prof" + icc), False)] if icc else []
    first = draw.flag("profile before nclx", 0.5)
    return others + (profile + made if first else made + profile)


def _changed(draw: Draw, size: tuple[int, int]) -> list[tuple[bytes, bool]]:
    """Turned, mirrored and cut."""
    kind = draw.choose(
        "HEIF transformation", ("none", "irot", "imir", "irot and imir", "clap", "clap of one pixel", "irot twice"), 0.7
    )
    turn, mirror = (box(b"irot", b"\1"), True), (box(b"imir", b"\0"), True)
    width, height = size

    def cut(across: int, down: int) -> tuple[bytes, bool]:
        return box(b"clap", struct.pack(">8I", across, 1, down, 1, 0, 1, 0, 1)), True

    return {
        "none": [],
        "irot": [turn],
        "imir": [mirror],
        "irot and imir": [turn, mirror],
        "clap": [cut(width - 20, height - 20)],
        "clap of one pixel": [cut(1, 1)],
        "irot twice": [turn, (box(b"irot", b"\2"), True)],
    }[kind]


def _arranged(draw: Draw, codec: str, subject: Item, cover: Item, size: tuple[int, int]) -> File:
    kind = draw.choose("HEIF arrangement", ARRANGEMENTS, 0.1)
    width, height = size
    both = [subject, cover] if draw.flag("subject item first", 0.5) else [cover, subject]
    one, two = subject.number, cover.number
    whole = [_size(width, height)]
    if kind == "one item":
        return File([subject], [one])
    if kind in ("primary is a thumbnail", "thumbnail of the cover", "primary and its thumbnail"):
        primary = two if kind.startswith("thumbnail") else one
        reference = (b"thmb", two, [one]) if kind.startswith("primary and") else (b"thmb", one, [two])
        return File(both, [primary], [reference])
    if kind in ("primary is auxiliary", "primary is depth", "auxiliary of the cover"):
        subject.properties.append(
            _auxiliary(
                {"primary is depth": DEPTH}.get(kind, ALPHA if draw.flag("auxiliary alpha", 0.5) else b"urn:x\0")
            )
        )
        return File(both, [two if kind.startswith("aux") else one], [(b"auxl", one, [two])])
    if kind == "primary is hidden":
        subject.hidden = True
        return File(both, [one])
    if kind in ("second item", "group of alternatives", "primary missing", "no primary", "primary twice"):
        first = {"primary missing": [77], "no primary": [], "primary twice": [two, one]}.get(kind, [two])
        group = [(b"altr", [two, one])] if kind.startswith("group") else []
        return File(both, first, groups=group)
    if kind.startswith("two frames"):
        order = [subject.data, cover.data] if kind.endswith("first") else [cover.data, subject.data]
        return File([Item(one, subject.kind, b"".join(order), subject.properties)], [one])
    if kind.startswith("primary unknown"):
        unknown = Item(3, b"xxxx", b"test", whole)
        return File([unknown, subject], [3], groups=[(b"altr", [3, one])] if kind.endswith("alternative") else [])
    if kind == "many items":
        count = draw.counted("HEIF items", ITEM_COUNTS)
        # All of them share the data of the cover.
        more = [
            Item(10 + place, cover.kind, cover.data if place == 0 else b"", cover.properties)
            for place in range(count - 1)
        ]
        return File([*more, subject], [10 if draw.flag("primary of many is the cover", 0.6) else one])
    if kind == "derived from the cover":
        return File(both, [two], [(b"dimg", two, [one])])
    if kind == "identity":
        subject.hidden = draw.flag("identity of a hidden item", 0.75)
        return File([Item(3, b"iden", b"", whole), subject, cover], [3], [(b"dimg", 3, [one])])
    tiles = {"grid of two": (1, 2), "grid of one": (1, 1)}.get(kind)
    if tiles:
        data = struct.pack(">BBBBHH", 0, 0, 0, tiles[1] - 1, width * tiles[1], height)
        parts = [two, one][-tiles[1] :]
        derived = Item(3, b"grid", data, [_size(width * tiles[1], height)])
    else:
        data = struct.pack(">BB4HHHhhhh", 0, 0, 0, 0, 0, 65535, width, height, 0, 0, 0, 0)
        parts, derived = [two, one], Item(3, b"iovl", data, whole)
    subject.hidden = cover.hidden = draw.flag("parts are hidden", 0.7)
    return File(
        [derived, *both], [3], [(b"dimg", 3, parts)], in_idat={3} if draw.flag("derived data in idat", 0.5) else set()
    )


def still(draw: Draw, content: Content, codec: str) -> bytes:
    """An AVIF or HEIC file with one picture or several."""
    icc, treatment = colour.choose(draw, 0.6)
    picture = treated(content.subject, treatment)
    kind, _, brand = CODECS[codec]
    quality = 100 if treatment != "whole" else int(draw.choose("HEIF quality", ("80", "40", "100"), 0.7))
    data, properties = encoded(picture, codec, quality)
    subject = Item(1, kind, data, _coloured(draw, properties, icc) + _changed(draw, picture.size))
    cover = Item(2, kind, *encoded(content.cover.resize(picture.size), codec, 60))
    file = _arranged(draw, codec, subject, cover, picture.size)
    if draw.flag("HEIF alpha", 0.12) and len(file.items) < 10:
        _, fourth = samples.alpha(draw, content, picture)
        data, properties = encoded(Image.fromarray(np.repeat(fourth[..., None], 3, 2)), codec, 90)
        plane = [each for each in properties if each[0][4:8] != b"colr"]
        file.items.append(Item(9, kind, data, plane + [_auxiliary(ALPHA)]))
        file.references.append((b"auxl", 9, [1]))
        if draw.flag("HEIF premultiplied", 0.35):
            file.references.append((b"prem", 1, [9]))
    wrong = draw.choose("HEIF sizes", ("right", "smaller", "larger", "missing"), 0.9)
    if wrong != "right":
        width, height = picture.size
        false = {"smaller": [_size(width // 2, height // 2)], "larger": [_size(width * 2, height)], "missing": []}[
            wrong
        ]
        subject.properties[:] = false + [each for each in subject.properties if each[0][4:8] != b"ispe"]
    other = {"AVIF": b"heic", "HEIC": b"avif"}[codec]
    file.brands = {
        "usual": brand + b"mif1miaf",
        "of the other codec": other + b"mif1",
        "mif1 alone": b"mif1",
        "sequence": {"AVIF": b"avis", "HEIC": b"hevc"}[codec] + brand + b"mif1msf1",
    }[draw.choose("HEIF brands", ("usual", "of the other codec", "mif1 alone", "sequence"), 0.85)]
    file.location_version = int(draw.choose("iloc version", ("0", "1", "2"), 0.6))
    file.primary_version = int(draw.choose("pitm version", ("0", "1"), 0.9))
    return file.data()
