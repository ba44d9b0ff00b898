# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""HEIF files written box by box: items, their properties, references and groups."""

import io
import struct
from dataclasses import dataclass, field

import pillow_heif
from PIL import Image

from .boxes import box, children, find, full

CODECS = {"AVIF": (b"av01", b"av1C", b"avif"), "HEIC": (b"hvc1", b"hvcC", b"heic")}


@dataclass
class Item:
    """An item: its type, data, and properties with the mark `essential`."""

    number: int
    kind: bytes
    data: bytes
    properties: list[tuple[bytes, bool]] = field(default_factory=list)
    hidden: bool = False


def encoded(image: Image.Image, codec: str, quality: int = 80) -> tuple[bytes, list[tuple[bytes, bool]]]:
    """The coded data of a picture, and its properties."""
    file = io.BytesIO()
    if codec == "AVIF":
        image.save(file, "AVIF", quality=quality, speed=10)
    else:
        pillow_heif.from_pillow(image).save(file, quality=quality, enc_params={"preset": "ultrafast"})
    data = file.getvalue()
    meta = find(data, b"meta") or b""
    properties = find(meta, b"iprp", b"ipco") or b""
    kept: list[tuple[bytes, bool]] = []
    for name, whole in children(properties):
        # The first of each kind belongs to the main item.
        if name not in [each[4:8] for each, _ in kept]:
            kept.append((whole, name == CODECS[codec][1]))
    return find(data, b"mdat") or b"", kept


def _locations(items: list[Item], base: int, version: int, in_idat: set[int]) -> bytes:
    rows, inside = b"", 0
    for item in items:
        if item.number in in_idat:
            place, method = inside, 1
            inside += len(item.data)
        else:
            place, method = base, 0
            base += len(item.data)
        number = struct.pack(">I" if version == 2 else ">H", item.number)
        rows += (
            number + (struct.pack(">H", method) if version else b"") + struct.pack(">HHII", 0, 1, place, len(item.data))
        )
    count = struct.pack(">I" if version == 2 else ">H", len(items))
    return full(b"iloc", version, 0, b"\x44\0" + count, rows)


@dataclass
class File:
    """The parts of a HEIF file."""

    items: list[Item]
    primary: list[int]
    references: list[tuple[bytes, int, list[int]]] = field(default_factory=list)
    groups: list[tuple[bytes, list[int]]] = field(default_factory=list)
    brands: bytes = b"avifmif1miaf"
    location_version: int = 0
    in_idat: set[int] = field(default_factory=set)
    primary_version: int = 0

    def _meta(self, base: int) -> bytes:
        shared: list[bytes] = []
        numbers: dict[bytes, int] = {}
        rows = []
        for item in self.items:
            row = b""
            for data, essential in item.properties:
                if data not in numbers:
                    shared.append(data)
                    numbers[data] = len(shared)
                row += bytes([numbers[data] | (0x80 if essential else 0)])
            rows.append(struct.pack(">HB", item.number, len(row)) + row)
        infos = [
            full(b"infe", 2, item.hidden, struct.pack(">HH4s", item.number, 0, item.kind), b"\0") for item in self.items
        ]
        primary = [
            full(b"pitm", self.primary_version, 0, struct.pack(">I" if self.primary_version else ">H", number))
            for number in self.primary
        ]
        references = [
            box(kind, struct.pack(f">HH{len(others)}H", number, len(others), *others))
            for kind, number, others in self.references
        ]
        groups = [
            full(kind, 0, 0, struct.pack(f">II{len(numbers)}I", 1000 + place, len(numbers), *numbers))
            for place, (kind, numbers) in enumerate(self.groups)
        ]
        idat = b"".join(item.data for item in self.items if item.number in self.in_idat)
        return full(
            b"meta",
            0,
            0,
            full(b"hdlr", 0, 0, bytes(4) + b"pict" + bytes(13)),
            *primary,
            _locations(
                self.items,
                base,
                1 if self.in_idat and not self.location_version else self.location_version,
                self.in_idat,
            ),
            full(b"iinf", 0, 0, struct.pack(">H", len(infos)), *infos),
            *([full(b"iref", 0, 0, *references)] if references else []),
            box(b"iprp", box(b"ipco", *shared), full(b"ipma", 0, 0, struct.pack(">I", len(rows)), *rows)),
            *([box(b"grpl", *groups)] if groups else []),
            *([box(b"idat", idat)] if idat else []),
        )

    def data(self) -> bytes:
        """The bytes of the file."""
        kind = box(b"ftyp", self.brands[:4] + bytes(4) + self.brands)
        base = len(kind) + len(self._meta(0)) + 8
        return (
            kind
            + self._meta(base)
            + box(b"mdat", *(item.data for item in self.items if item.number not in self.in_idat))
        )
