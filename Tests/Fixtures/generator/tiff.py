# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""A TIFF writer for the kinds that few tools write: little-endian, deflated, each directory before its strips."""

import struct
import zlib

import numpy as np

SHORT, LONG = 3, 4
RGB = 2
NEW_SUBFILE_TYPE, STRIP_OFFSETS, SUB_IFDS, ICC_PROFILE = 254, 273, 330, 34675


class Directory:
    """One picture: an array of height x width x bands, its photometric interpretation and further tags."""

    def __init__(self, pixels, photometric, tags=None, bits=None, children=(), sample_format=1, rows=None):
        pixels = pixels if pixels.ndim == 3 else pixels[..., None]
        height, width, bands = pixels.shape
        bits, rows = bits or pixels.dtype.itemsize * 8, rows or height
        predict = pixels.dtype == np.uint8 and photometric == RGB
        self.children = list(children)
        self.strips = [_packed(pixels[y:y + rows], bits, predict) for y in range(0, height, rows)]
        self.tags = {
            NEW_SUBFILE_TYPE: (LONG, [0]), 256: width, 257: height, 258: (SHORT, [bits] * bands), 259: 8,
            262: photometric, STRIP_OFFSETS: (LONG, [0] * len(self.strips)), 274: 1, 277: bands, 278: rows,
            279: (LONG, [len(strip) for strip in self.strips]), 284: 1, 317: 1 + predict,
            SUB_IFDS: (LONG, [0] * len(self.children)), 339: (SHORT, [sample_format] * bands), **(tags or {}),
        }
        if not self.children:
            del self.tags[SUB_IFDS]


def _packed(pixels, bits, predict):
    """A deflated strip; with prediction, each byte is the difference to its left neighbour."""
    if bits == 1:
        return zlib.compress(np.packbits(pixels[..., 0].astype(bool), axis=1).tobytes(), 9)
    if predict:
        pixels = np.concatenate([pixels[:, :1], np.diff(pixels, axis=1)], 1)
    return zlib.compress(pixels.astype(pixels.dtype.newbyteorder("<")).tobytes(), 9)


def write(directories):
    """A TIFF file; a directory's children become its SubIFDs."""
    out = bytearray(b"II*\0\0\0\0\0")
    _chain(out, directories, 4)
    return bytes(out)


def rgb(image, **options):
    """An RGB TIFF of a Pillow image."""
    return write([Directory(np.asarray(image.convert("RGB")), RGB, **options)])


def _chain(out, directories, link):
    """Appends directories that follow one another; the first one's offset goes to `link`."""
    for directory in directories:
        link = _append(out, directory, link)


def _append(out, directory, link):
    """Appends a directory, then its strips, then its children. Returns where the next one's offset goes."""
    places, entries = {}, b""
    for tag, value in sorted(directory.tags.items()):
        kind, count, data = _encoded(value)
        if len(data) > 4:
            places[tag] = _blob(out, data)
            data = struct.pack("<I", places[tag])
        entries += struct.pack("<HHI", tag, kind, count) + data.ljust(4, b"\0")
    start = _blob(out, struct.pack("<H", len(directory.tags)) + entries + bytes(4))
    struct.pack_into("<I", out, link, start)
    end = len(out) - 4
    for index, tag in enumerate(sorted(directory.tags)):
        places.setdefault(tag, start + 2 + 12 * index + 8)
    for index, strip in enumerate(directory.strips):
        struct.pack_into("<I", out, places[STRIP_OFFSETS] + 4 * index, _blob(out, strip))
    for index, one in enumerate(directory.children):
        _append(out, one, places[SUB_IFDS] + 4 * index)
    return end


def _encoded(value):
    """(type, count, bytes) of a tag's value: bytes, a number, or (type, numbers)."""
    if isinstance(value, bytes):
        return 7, len(value), value
    kind, values = value if isinstance(value, tuple) else (LONG if value > 0xFFFF else SHORT, [value])
    return kind, len(values), struct.pack(f"<{len(values)}{'H' if kind == SHORT else 'I'}", *values)


def _blob(out, data):
    """Appends data at an even offset and returns it."""
    out.extend(bytes(len(out) % 2))
    out.extend(data)
    return len(out) - len(data)
