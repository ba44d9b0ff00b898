# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""Reads and writes the ISO base media boxes of HEIF files (ISO/IEC 23008-12, ISO/IEC 14496-12).

The reader takes coded pictures out of what heif-enc and avifenc wrote; the writer puts them together again with
properties and references that those tools have no option for.
"""

import struct
from dataclasses import dataclass, field


def box(kind, *parts):
    """A box: size, type, body."""
    body = b"".join(parts)
    return struct.pack(">I", len(body) + 8) + kind.encode() + body


def full_box(kind, version, flags, *parts):
    """A box with version and flags."""
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def children(data):
    """(type, body) of each box in `data`."""
    at = 0
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        header = 8
        if size == 1:
            size, header = struct.unpack_from(">Q", data, at + 8)[0], 16
        elif size == 0:
            size = len(data) - at
        yield kind.decode("latin-1"), data[at + header:at + size]
        at += size


def child(data, kind):
    """The body of the first box of that type."""
    return next(body for name, body in children(data) if name == kind)


@dataclass
class Item:
    """An item: its type, its bytes, and its properties as (whole box, essential)."""

    kind: str
    data: bytes
    properties: list = field(default_factory=list)
    hidden: bool = False

    def adding(self, *properties):
        """The same item with more properties at the end."""
        return Item(self.kind, self.data, [*self.properties, *properties], self.hidden)

    def property(self, kind):
        """The body of a property."""
        return next(p[8:] for p, _ in self.properties if p[4:8] == kind.encode())


def read_items(data):
    """The items of a HEIF file, by id."""
    meta = child(data, "meta")[4:]
    kinds = {}
    iinf = child(meta, "iinf")
    for kind, body in children(iinf[6 if iinf[0] == 0 else 8:]):
        if kind == "infe":
            kinds[struct.unpack_from(">H", body, 4)[0]] = body[8:12].decode()
    iprp = child(meta, "iprp")
    properties = [box(kind, body) for kind, body in children(child(iprp, "ipco"))]
    associations = _read_associations(child(iprp, "ipma"))
    extents = _read_locations(child(meta, "iloc"))
    return {
        item: Item(kind, b"".join(data[start:start + length] for start, length in extents[item]),
                   [(properties[index - 1], essential) for essential, index in associations.get(item, [])])
        for item, kind in kinds.items()
    }


def _read_associations(ipma):
    assert ipma[0] == 0 and not ipma[3] & 1, "only the short form of 'ipma' is read"
    count, at, result = struct.unpack_from(">I", ipma, 4)[0], 8, {}
    for _ in range(count):
        item, n = struct.unpack_from(">HB", ipma, at)
        result[item] = [(bool(v & 0x80), v & 0x7F) for v in ipma[at + 3:at + 3 + n]]
        at += 3 + n
    return result


def _read_locations(iloc):
    version = iloc[0]
    offset_size, length_size = iloc[4] >> 4, iloc[4] & 15
    base_size, index_size = iloc[5] >> 4, (iloc[5] & 15) if version else 0
    count, at, result = struct.unpack_from(">H", iloc, 6)[0], 8, {}

    def number(size):
        nonlocal at
        at += size
        return int.from_bytes(iloc[at - size:at], "big")

    for _ in range(count):
        item = number(2)
        # libheif wraps a picture of odd or small size in a grid, which it keeps elsewhere.
        assert (number(2) if version else 0) == 0, "only items in 'mdat' are read"
        number(2)
        base = number(base_size)
        result[item] = []
        for _ in range(number(2)):
            number(index_size)
            start = base + number(offset_size)
            result[item].append((start, number(length_size)))
    return result


def write_heif(items, primary=1, references=(), brands=("mif1", "heic"), major="heic", movie=None,
               reference_version=0):
    """A HEIF file.

    `items`: {id: Item}; `references`: (type, from, [to]); `movie`: a function from the file offset of the samples to
    ('moov' box, samples); `reference_version`: 1 for references by numbers of 32 bits. An item of type 'grid' lies in 'idat', all others in 'mdat'. No items, no 'meta'.
    """
    ftyp = box("ftyp", major.encode(), bytes(4), *(b.encode() for b in brands))
    infes = [full_box("infe", 2, int(item.hidden), struct.pack(">HH", number, 0), item.kind.encode(), b"\0")
             for number, item in items.items()]
    iinf = full_box("iinf", 0, 0, struct.pack(">H", len(infes)), *infes)
    hdlr = full_box("hdlr", 0, 0, bytes(4), b"pict", bytes(12), b"\0")
    pitm = full_box("pitm", 0, 0, struct.pack(">H", primary))
    number = "I" if reference_version else "H"
    iref = full_box("iref", reference_version, 0, *(
        box(kind, struct.pack(f">{number}H{len(to)}{number}", source, len(to), *to)) for kind, source, to in references))
    rest = [pitm, iinf] + ([iref] if references else []) + [_properties(items)]
    idat = b"".join(item.data for item in items.values() if item.kind == "grid")
    if idat:
        rest.append(box("idat", idat))

    def meta(offset):
        return b"" if not items else full_box("meta", 0, 0, hdlr, _locations(items, offset), *rest)

    moov, samples = movie(0) if movie else (b"", b"")
    start = len(ftyp) + len(meta(0)) + len(moov) + 8
    payload = b"".join(item.data for item in items.values() if item.kind != "grid")
    if movie:
        moov, samples = movie(start + len(payload))
    return ftyp + meta(start) + moov + box("mdat", payload, samples)


def _locations(items, offset):
    entries, in_idat = [], 0
    for number, item in items.items():
        method, at = (1, in_idat) if item.kind == "grid" else (0, offset)
        entries.append(struct.pack(">HHHHII", number, method, 0, 1, at, len(item.data)))
        if method:
            in_idat += len(item.data)
        else:
            offset += len(item.data)
    return full_box("iloc", 1, 0, b"\x44\x00", struct.pack(">H", len(entries)), *entries)


def _properties(items):
    unique, associations = [], []
    for number, item in items.items():
        if not item.properties:
            continue
        indices = b""
        for prop, essential in item.properties:
            if prop not in unique:
                unique.append(prop)
            indices += bytes([essential << 7 | unique.index(prop) + 1])
        associations.append(struct.pack(">HB", number, len(indices)) + indices)
    return box("iprp", box("ipco", *unique),
               full_box("ipma", 0, 0, struct.pack(">I", len(associations)), *associations))


def picture_track(samples, codec, configuration, size, timescale, duration):
    """A function for `write_heif(movie:)`: one 'pict' track whose samples are all sync samples."""
    width, height = size
    total = duration * len(samples)
    matrix = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
    ccst = full_box("ccst", 0, 0, struct.pack(">I", 0x84000000))  # all references intra, intra prediction used
    entry = box(codec, bytes(6), struct.pack(">H", 1), bytes(16), struct.pack(">HH", width, height),
                struct.pack(">II", 0x480000, 0x480000), bytes(4), struct.pack(">H", 1), bytes(32),
                struct.pack(">HH", 24, 0xFFFF), configuration, ccst)

    def movie(offset):
        stbl = box("stbl",
                   full_box("stsd", 0, 0, struct.pack(">I", 1), entry),
                   full_box("stts", 0, 0, struct.pack(">III", 1, len(samples), duration)),
                   full_box("stsc", 0, 0, struct.pack(">IIII", 1, 1, len(samples), 1)),
                   full_box("stsz", 0, 0, struct.pack(">II", 0, len(samples)),
                            *(struct.pack(">I", len(s)) for s in samples)),
                   full_box("stco", 0, 0, struct.pack(">II", 1, offset)))
        dinf = box("dinf", full_box("dref", 0, 0, struct.pack(">I", 1), full_box("url ", 0, 1)))
        minf = box("minf", full_box("vmhd", 0, 1, bytes(8)), dinf, stbl)
        mdia = box("mdia",
                   full_box("mdhd", 0, 0, struct.pack(">IIIIHH", 0, 0, timescale, total, 0x55C4, 0)),
                   full_box("hdlr", 0, 0, bytes(4), b"pict", bytes(12), b"\0"), minf)
        tkhd = full_box("tkhd", 0, 3, struct.pack(">IIIII", 0, 0, 1, 0, total), bytes(16), matrix,
                        struct.pack(">II", width << 16, height << 16))
        mvhd = full_box("mvhd", 0, 0, struct.pack(">IIII", 0, 0, timescale, total),
                        struct.pack(">IH", 0x10000, 0), bytes(10), matrix, bytes(24), struct.pack(">I", 2))
        return box("moov", mvhd, box("trak", tkhd, mdia)), b"".join(samples)

    return movie
