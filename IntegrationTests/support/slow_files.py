# This source file is part of the SensitiveContentAnalysis open source project
# SPDX-License-Identifier: Apache-2.0
"""Picture files that take long: pages by the thousand, and animations of large pictures in few bytes."""

import struct


def write_pages(path, count):
    """A TIFF file with so many grey pages of one pixel."""
    entries = [(256, 1), (257, 1), (258, 8), (259, 1), (262, 1), (273, 8), (278, 1), (279, 1)]
    size = 2 + 12 * len(entries) + 4
    start = 10
    directories = []
    for page in range(count):
        following = start + (page + 1) * size if page < count - 1 else 0
        fields = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in entries)
        directories.append(struct.pack("<H", len(entries)) + fields + struct.pack("<I", following))
    path.write_bytes(b"II" + struct.pack("<HI", 42, start) + b"\x80\0" + b"".join(directories))


def _even_pixels(count):
    """The LZW data of so many pixels of colour 0, with codes of 3 to 12 bits."""
    # The first codes are four colours, and those that clear the table and end the data.
    clear, end, first = 4, 5, 6
    value, bits, data = 0, 0, bytearray()

    def put(code, width):
        nonlocal value, bits
        value |= code << bits
        bits += width
        while bits >= 8:
            data.append(value & 255)
            value >>= 8
            bits -= 8

    width, left = 3, count
    while left > 0:
        put(clear, width)
        width, following, run = 3, first, 1
        put(0, width)
        left -= 1
        # Each code stands for one pixel more than the one before it.
        while left > 0 and following < 4095:
            run = min(run + 1, left)
            put(first + run - 2 if run > 1 else 0, width)
            left -= run
            following += 1
            if following == 1 << width and width < 12:
                width += 1
    put(end, width)
    if bits:
        data.append(value & 255)
    return bytes(data)


def write_animation(path, side, count):
    """A GIF file with so many pictures of `side` by `side` pixels of one colour."""
    data = _even_pixels(side * side)
    blocks = b"".join(bytes([len(data[at:at + 255])]) + data[at:at + 255] for at in range(0, len(data), 255)) + b"\0"
    length = struct.pack("<HH", side, side)
    picture = b"\x21\xf9\x04\x04\x0a\0\0\0\x2c\0\0\0\0" + length + b"\0\x02" + blocks
    table = bytes(range(0, 120, 10))
    path.write_bytes(b"GIF89a" + length + b"\x81\0\0" + table + picture * count + b"\x3b")
