# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0

"""A BMP writer for the variants that decoders get wrong."""

import struct

import numpy as np

BI_RGB, BI_RLE8, BI_RLE4, BI_BITFIELDS = 0, 1, 2, 3


def _rows(pixels, top_down=False):
    """Rows of bytes, padded to four, bottom up unless told otherwise."""
    lines = [bytes(row) for row in (pixels if top_down else pixels[::-1])]
    return b"".join(line + bytes(-len(line) % 4) for line in lines)


def _file(info, palette, data):
    offset = 14 + len(info) + len(palette)
    return struct.pack("<2sIHHI", b"BM", offset + len(data), 0, 0, offset) + info + palette + data


def _info(width, height, bits, compression=BI_RGB, size=0, colours=0):
    return struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, compression, size, 2835, 2835, colours, 0)


def _quads(palette):
    return b"".join(bytes([b, g, r, 0]) for r, g, b in palette)


def _packed(indices, bits):
    per_byte = 8 // bits
    height, width = indices.shape
    wide = np.zeros((height, -(-width // per_byte) * per_byte), np.uint8)
    wide[:, :width] = indices
    groups = wide.reshape(height, -1, per_byte)
    weights = np.array([1 << bits * (per_byte - 1 - i) for i in range(per_byte)])
    return (groups * weights).sum(-1).astype(np.uint8)


def indexed(indices, palette, bits):
    """1, 4 or 8 bits with a palette of four-byte entries."""
    height, width = indices.shape
    return _file(_info(width, height, bits, colours=len(palette)), _quads(palette), _rows(_packed(indices, bits)))


def os2(indices, palette):
    """8 bits under a BITMAPCOREHEADER: 16-bit sizes and a full palette of three-byte entries."""
    height, width = indices.shape
    triples = b"".join(bytes([b, g, r]) for r, g, b in palette).ljust(768, b"\0")
    return _file(struct.pack("<IHHHH", 12, width, height, 1, 8), triples, _rows(indices))


def rgb24(pixels, top_down=False):
    """24 bits; a negative height means that the first row is the top one."""
    height, width = pixels.shape[:2]
    data = _rows(np.ascontiguousarray(pixels[..., ::-1]).reshape(height, -1), top_down)
    return _file(_info(width, -height if top_down else height, 24), b"", data)


def rgb32(pixels):
    """32 bits without masks: the fourth byte means nothing, and is 0 here."""
    height, width = pixels.shape[:2]
    padded = np.dstack([pixels[..., ::-1], np.zeros((height, width), np.uint8)])
    return _file(_info(width, height, 32), b"", _rows(padded.reshape(height, -1)))


def _words(pixels, widths):
    """16-bit pixels with red in the highest bits."""
    value = np.zeros(pixels.shape[:2], np.uint16)
    for band, width in enumerate(widths):
        value = value << width | pixels[..., band] >> (8 - width)
    return value.astype("<u2")


def rgb555(pixels):
    """16 bits without masks: five bits a colour."""
    height, width = pixels.shape[:2]
    return _file(_info(width, height, 16), b"", _rows(_words(pixels, (5, 5, 5)).view(np.uint8).reshape(height, -1)))


def rgb565(pixels):
    """16 bits with masks behind the header: 5, 6 and 5 bits."""
    height, width = pixels.shape[:2]
    data = _rows(_words(pixels, (5, 6, 5)).view(np.uint8).reshape(height, -1))
    return _file(_info(width, height, 16, BI_BITFIELDS), struct.pack("<III", 0xF800, 0x07E0, 0x001F), data)


def v5(pixels):
    """32 bits under a BITMAPV5HEADER with an alpha mask."""
    height, width = pixels.shape[:2]
    data = _rows(np.ascontiguousarray(pixels[..., [2, 1, 0, 3]]).reshape(height, -1))
    info = struct.pack("<IiiHHIIiiII", 124, width, height, 1, 32, BI_BITFIELDS, len(data), 2835, 2835, 0, 0)
    info += struct.pack("<IIII4s", 0x00FF0000, 0x0000FF00, 0x000000FF, 0xFF000000, b"BGRs") + bytes(36 + 12)
    info += struct.pack("<IIII", 4, 0, 0, 0)
    return _file(info, b"", data)


def rle(indices, palette, bits):
    """Run-length coding in 8 or 4 bits: runs, literal stretches, ends of lines, end of bitmap."""
    height, width = indices.shape
    data = b"".join(_rle_line(list(map(int, row)), bits) + b"\0\0" for row in indices[::-1]) + b"\0\1"
    compression = BI_RLE8 if bits == 8 else BI_RLE4
    return _file(_info(width, height, bits, compression, len(data), len(palette)), _quads(palette), data)


def _rle_line(row, bits):
    out, literal, at = b"", [], 0
    while at < len(row):
        run = 1
        while at + run < len(row) and run < 255 and row[at + run] == row[at]:
            run += 1
        if run < 3:
            literal += row[at:at + run]
        else:
            out += _rle_literal(literal, bits) + bytes([run, row[at] if bits == 8 else row[at] * 17])
            literal = []
        at += run
    return out + _rle_literal(literal, bits)


def _rle_literal(values, bits):
    """A literal stretch; one or two pixels have to be runs, for 0 followed by 0, 1 or 2 is an escape."""
    if len(values) < 3:
        return b"".join(bytes([1, v if bits == 8 else v * 16]) for v in values)
    if len(values) > 255:
        return _rle_literal(values[:252], bits) + _rle_literal(values[252:], bits)
    data = bytes(values) if bits == 8 else bytes(
        a << 4 | b for a, b in zip(values[::2], [*values[1::2], 0], strict=False))
    return bytes([0, len(values)]) + data + bytes(len(data) % 2)
